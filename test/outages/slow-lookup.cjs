/** Preloaded: names are resolved after four seconds, as behind a resolver whose first server is gone. */
const dns = require('node:dns');

const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  if (name !== 'localhost') return lookup(name, ...rest);
  setTimeout(() => lookup(name, ...rest), 4_000);
};
