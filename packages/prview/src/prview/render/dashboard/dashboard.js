"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const files = all("details.file");

  // Theme: as the system says, until somebody says otherwise.
  const themes = ["auto", "light", "dark"];
  const button = document.getElementById("theme");
  const store = {
    get() { try { return localStorage.getItem("prview-theme"); } catch { return null; } },
    set(value) { try { localStorage.setItem("prview-theme", value); } catch { /* a file may have no storage */ } },
  };
  const applyTheme = (name) => {
    if (name === "auto") root.removeAttribute("data-theme"); else root.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
    button.dataset.name = name;
  };
  const nextTheme = () => {
    const name = themes[(themes.indexOf(button.dataset.name) + 1) % themes.length];
    applyTheme(name);
    store.set(name);
  };
  const saved = store.get();
  applyTheme(themes.includes(saved) ? saved : "auto");
  button.hidden = false;
  button.addEventListener("click", nextTheme);

  // A link into a folded file unfolds it.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const file = target.closest("details");
    if (file) file.open = true;
    target.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", reveal);
  reveal();

  document.getElementById("unfold").addEventListener("click", () => files.forEach((file) => { if (!file.hidden) file.open = true; }));
  document.getElementById("fold").addEventListener("click", () => files.forEach((file) => { file.open = false; }));
  all(".tools").forEach((tools) => { tools.hidden = false; });

  const filter = document.getElementById("filter");
  const entries = all("ul.menu > li");
  filter.hidden = false;
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    const hides = (text) => wanted !== "" && !text.toLowerCase().includes(wanted);
    entries.forEach((entry) => { entry.hidden = hides(entry.querySelector("a").title); });
    files.forEach((file) => { file.hidden = hides(file.querySelector(".path").textContent); });
  });

  // The next item after the focused one, or after the focus when that is elsewhere; stays at either end.
  const step = (items, by) => {
    const shown = items.filter((item) => item.offsetParent !== null);
    if (shown.length === 0) return;
    const here = document.activeElement;
    const place = shown.indexOf(here);
    const edge = here && here !== document.body ? here.getBoundingClientRect().top : 0;
    const away = (item) => (item.getBoundingClientRect().top - edge) * by > 1;
    const next = place >= 0 ? shown[place + by] : by > 0 ? shown.find(away) : shown.findLast(away);
    if (!next) return;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };
  const notes = () => all("details.file[open] .remark");
  all(".remark").forEach((note) => note.setAttribute("tabindex", "-1"));
  const help = document.getElementById("help");
  const keys = {
    j: () => step(files.map((file) => file.querySelector("summary")), 1),
    k: () => step(files.map((file) => file.querySelector("summary")), -1),
    n: () => step(notes(), 1),
    p: () => step(notes(), -1),
    t: nextTheme,
    "/": () => filter.focus(),
    "?": () => help.showModal(),
  };
  document.getElementById("keys").addEventListener("click", keys["?"]);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target === filter) { if (event.key === "Escape") filter.blur(); return; }
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
