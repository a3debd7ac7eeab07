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
  let found = '';
  let looked = 0;
  const gather = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (found.length < LIMIT && looked < NODES && walker.nextNode()) {
      const node = walker.currentNode;
      looked += 1;
      if (node.shadowRoot) gather(node.shadowRoot);
      if (node.nodeType !== Node.TEXT_NODE) continue;
      const part = node.data.trim();
      const parent = node.parentElement ?? node.getRootNode().host;
      if (part && parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) found += `${part}\n`;
    }
  };
  if (document.body) gather(document.body);
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
  const noindex = /noindex/i.test(meta('robots'));
  return {
    title,
    text,
    heading: words(all('h1').find(shown)).slice(0, 200),
    has_media: all('img, svg, canvas, video, iframe, object, embed').some(shown),
    busy: all('[aria-busy="true"], [role="progressbar"]').some(shown),
    password_field: document.querySelector('input[type="password"]') !== null,
    not_found_marker: meta('next-error') === 'not-found' || (noindex && /^\W*404\b/.test(title)),
    overlay: overlay(),
    content_type: document.contentType,
    revisions: all('meta[name]').map((tag) => [tag.name, tag.content]).filter(([name]) => revisionNames.includes(name.toLowerCase())).map((pair) => pair.map((part) => part.slice(0, 300))),
  };
}
