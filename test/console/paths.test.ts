import { pathTo } from '../../src/console/views/common/address';

test.each(['pay_a', 'a/b', '../keys', 'a?b=c', 'a#b', '50%', 'a b;c&d'])('the id "%s" is one path segment', (id) => {
  const { pathname, search, hash } = new URL(pathTo('payments', id), 'http://console.example');
  expect([search, hash]).toEqual(['', '']);
  expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'payments', id]);
});
