// The document as a visitor sees it, bounded before it leaves the page. `revisionNames` are metas that state a revision.
(revisionNames) => {
  const LIMIT = 4000;
  const NODES = 50000;
  const shown = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 1 && box.height > 1 && style.visibility !== 'hidden' && style.opacity !== '0';
  };
  const all = (selector) => Array.from(document.querySelectorAll(selector)).slice(0, 500);
  const meta = (name) => document.querySelector(`meta[name="${name}" i]`)?.content ?? '';
  const words = (node) => (node?.innerText ?? node?.textContent ?? '').trim().slice(0, 500);
  // not innerText, which lays out and copies the whole document to give its first few words
  // (innerText also leaves out what components keep in their shadow roots)
  let looked = 0;
  const gather = (root, take, left_out) => {
    const filter = left_out && ((node) => (left_out.includes(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, filter);
    while (looked < NODES && walker.nextNode()) {
      const node = walker.currentNode;
      looked += 1;
      if (node.shadowRoot) gather(node.shadowRoot, take, left_out);
      if (node.nodeType !== Node.TEXT_NODE) continue;
      const part = node.data.trim();
      const parent = node.parentElement ?? node.getRootNode().host;
      if (part && parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && take(part, node, parent)) return;
    }
  };

  // Whether words can be told from what lies behind them. Only a suspicion comes of it, which a picture confirms.
  const channels = (color) => color.match(/^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/)?.slice(1).map((value) => Number(value ?? 1));
  const backdrop = (element) => {
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      const style = getComputedStyle(at);
      if (Number(style.opacity) < 0.1) return [];
      if (style.backgroundImage !== 'none') return null;
      const color = channels(style.backgroundColor);
      if (!color || (color[3] > 0 && color[3] < 1)) return null;
      if (color[3] === 1) return color;
    }
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    return scheme.includes('dark') && !scheme.includes('light') ? [18, 18, 18, 1] : [255, 255, 255, 1];
  };
  const evident = (node, parent) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || box.bottom + scrollY <= 0 || box.right <= 0 || box.left >= document.documentElement.scrollWidth) return false;
    const own = channels(getComputedStyle(parent).webkitTextFillColor);
    const behind = backdrop(parent);
    if (own && own[3] < 0.1) return false;
    if (own && behind && ![0, 1, 2].some((at) => Math.abs(own[at] - behind[at]) >= 24)) return false;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !top || parent.contains(top) || top.shadowRoot !== null;
  };
  let found = '';
  let clear = false;
  let doubted = 0;
  if (document.body) {
    gather(document.body, (part, node, parent) => {
      found += `${part}\n`;
      if (!clear && doubted < 200) { doubted += 1; clear = evident(node, parent); }
      return found.length >= LIMIT;
    });
  }
  const text = found.trim().slice(0, LIMIT);
  const title = document.title.slice(0, 300);
  const OVERLAYS = [
    ['#webpack-dev-server-client-overlay', 'webpack error overlay'],
    ['body > iframe[style*="2147483647"]', 'React error overlay'],
    ['#__parcel__error__overlay__, parcel-error-overlay', 'Parcel error overlay'],
    ['gatsby-fast-refresh', 'Gatsby error overlay'],
    ['html#__next_error__', 'Next.js error page'],
  ];
  const ERROR_PAGE = /^(?:Application error: a (?:client|server)-side exception has occurred|Unexpected Application Error!|Application Error\b|Internal Server Error)[^\n]*/m;
  const overlay = () => {
    const dialog = document.querySelector('nextjs-portal')?.shadowRoot?.querySelector('[role="dialog"], [data-nextjs-dialog]');
    if (dialog) return words(dialog) || 'Next.js error dialog';
    const vite = document.querySelector('vite-error-overlay');
    if (vite) return words(vite.shadowRoot?.querySelector('.message')) || 'Vite error overlay';
    const page = text.length < 1000 && text.match(ERROR_PAGE);
    if (page) return page[0];
    const known = OVERLAYS.find(([selector]) => document.querySelector(selector));
    return known ? known[1] : null;
  };
  const MEDIA = 'img, svg, canvas, video, iframe, frame, object, embed, input, textarea, select, button, meter';
  // what only style sheets or components that let nobody look inside show; asked where nothing else is found
  const painted = (element) => {
    const made = ['::before', '::after'].some((part) => !['none', 'normal', '""', 'counter'].includes(getComputedStyle(element, part).content));
    return shown(element) && (made || getComputedStyle(element).backgroundImage.includes('url(') || (element.tagName.includes('-') && !element.shadowRoot && customElements.get(element.localName)));
  };
  const ASKS = '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [aria-label*="cookie" i], [role="dialog"], [role="alertdialog"], dialog';
  const ANSWERS = /\b(?:accept|agree|allow|reject|decline|refuse|got it|ok(?:ay)?|preferences|settings)\b/i;
  const isBanner = (element) => {
    if (['HTML', 'BODY', 'MAIN'].includes(element.tagName) || !shown(element) || element.querySelector('h1')) return false;
    const floats = (part) => ['fixed', 'sticky', 'absolute'].includes(getComputedStyle(part).position) || part.matches('dialog, [role="dialog"], [role="alertdialog"]');
    if (![element, element.parentElement, ...Array.from(element.querySelectorAll('*')).slice(0, 50)].some(floats)) return false;
    const said = (element.innerText ?? '').slice(0, 2000);
    const buttons = Array.from(element.querySelectorAll('button, [role="button"], a, input[type="button"], input[type="submit"]'));
    return said.length < 2000 && /\b(?:cookies?|consent)\b/i.test(said) && buttons.some((button) => ANSWERS.test(words(button) || button.value));
  };
  const onlyBanner = () => {
    if (!text || text.length >= 2000) return false;
    const banners = all(ASKS).filter(isBanner);
    if (!banners.length) return false;
    let beside = false;
    looked = 0;
    gather(document.body, () => (beside = true), banners);
    return !beside && !all(MEDIA).some((element) => shown(element) && !banners.some((banner) => banner.contains(element)));
  };
  const pictured = () => all('img').some((image) => shown(image) && image.naturalWidth > 1);
  const signInField = () => all('input[type="email"], input[autocomplete~="username"], input[name="username" i], input[name="login" i]').some(shown)
    || all('button, [role="button"], a').some((button) => shown(button) && /^\W*(?:continue|(?:sign|log) ?in) with\b/i.test(words(button)));
  const noindex = /noindex/i.test(meta('robots'));
  return {
    title,
    text,
    heading: words(all('h1').find(shown)).slice(0, 200),
    has_media: all(MEDIA).some(shown) || (!text && all('body *').some(painted)),
    alert: words(all('[role="alert"], [role="alertdialog"], [role="dialog"]').find(shown)).slice(0, 200),
    doubtful: !clear && !pictured(),
    only_banner: onlyBanner(),
    sign_in_field: signInField(),
    busy: all('[aria-busy="true"], [role="progressbar"]').some(shown),
    password_field: document.querySelector('input[type="password"]') !== null,
    not_found_marker: meta('next-error') === 'not-found' || (noindex && /^\W*404\b/.test(title)),
    overlay: overlay(),
    content_type: document.contentType,
    revisions: all('meta[name]').map((tag) => [tag.name, tag.content]).filter(([name]) => revisionNames.includes(name.toLowerCase())).map((pair) => pair.map((part) => part.slice(0, 300))),
  };
}
