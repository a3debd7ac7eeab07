// Runs in every frame before the page's own scripts. Takes away what could change state or what nothing observes, and
// counts how often the page reached for it. A connection fails as it does without a network, since pages expect that;
// an API fails with our name in its message, so that what follows is not blamed on the page.
// `more` are further constructors to take away.
(more) => {
  const counts = { requests: 0, sockets: 0, popups: 0, apis: 0 };
  const define = (owner, name, value) => {
    try { Object.defineProperty(owner, name, { value, configurable: false, writable: false }); } catch { /* not in this frame */ }
  };
  const failing = (name, states) => class extends EventTarget {
    constructor(url) {
      super();
      counts.sockets += 1;
      this.url = String(url);
      this.readyState = 0;
      setTimeout(() => {
        this.readyState = states.CLOSED;
        for (const type of ['error', 'close']) {
          const event = new Event(type);
          if (typeof this[`on${type}`] === 'function') this[`on${type}`](event);
          this.dispatchEvent(event);
        }
      });
    }
    static get name() { return name; }
    send() {}
    close() {}
  };
  const connection = (name, states) => {
    if (!(name in self)) return;
    const kind = failing(name, states);
    for (const [key, value] of Object.entries(states)) { define(kind, key, value); define(kind.prototype, key, value); }
    define(self, name, kind);
  };
  connection('WebSocket', { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
  connection('EventSource', { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
  for (const name of ['WebTransport', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker', 'fetchLater', ...more]) {
    if (name in self) define(self, name, function () { counts.apis += 1; throw new DOMException(`${name} blocked by T-Rex`, 'SecurityError'); });
  }
  define(Navigator.prototype, 'sendBeacon', () => { counts.requests += 1; return false; });
  define(self, 'open', () => { counts.popups += 1; return null; });
  for (const name of ['submit', 'requestSubmit']) define(HTMLFormElement.prototype, name, () => { counts.apis += 1; });
  if (self.ServiceWorkerContainer) {
    define(ServiceWorkerContainer.prototype, 'register', () => {
      counts.apis += 1;
      return Promise.reject(new DOMException('ServiceWorker blocked by T-Rex', 'SecurityError'));
    });
  }
  Object.defineProperty(self, '__codevetterWithheld', { value: () => ({ ...counts }), enumerable: false });
}
