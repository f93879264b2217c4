import { search } from './canary';

const canaries = [
  { what: 'a name', word: 'Quixotine "Q" Abendroth' },
  { what: 'an e-mail', word: /quixotine\.[0-9a-f]{6}/i },
];
const look = (text: string) => search({ name: 'a log', text, witness: 'order-1' }, canaries);

test('a place without any of the searched words counts as clean', () => {
  expect(look('order-1 was collected')).toMatchObject({ holds: true, found: 'none of 2 in 21 characters' });
});

test.each([
  ['as it is', 'Quixotine "Q" Abendroth', 'a name'],
  ['in JSON', JSON.stringify({ name: 'Quixotine "Q" Abendroth' }), 'a name'],
  ['in a URL', `q=${encodeURIComponent('Quixotine "Q" Abendroth')}`, 'a name'],
  ['in base64', Buffer.from('Quixotine "Q" Abendroth').toString('base64'), 'a name'],
  ['by its form', 'to QUIXOTINE.0a1b2c@payer.example', 'an e-mail'],
])('a searched word that a place contains %s is found, and the report does not repeat the word', (_how, text, what) => {
  expect(look(`order-1 ${text}`)).toEqual({ name: 'canary: a log', holds: false, found: `it has ${what}` });
});

test('a place that could not be read does not count as clean', () => {
  expect(look('')).toMatchObject({ holds: false, found: 'order-1 is not in it: it was not read' });
});
