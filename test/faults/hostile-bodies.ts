import { order } from '../admin/order';

const withReference = (reference: string) =>
  JSON.stringify(order({ payer: { reference: '@' } })).replace('@', reference);

/** JSON with this many levels. */
const deep = (levels: number) => `{"amount":${'['.repeat(levels)}${']'.repeat(levels)}}`;

/** Invalid bodies of `POST /v1/subscriptions`, and how each is answered (fault 28). */
export const HOSTILE_BODIES: readonly (readonly [what: string, body: string | Buffer, status: number, code: string])[] =
  [
    ['10 MB', JSON.stringify({ amount: 'x'.repeat(10_000_000) }), 413, 'payload_too_large'],
    ['one byte past 1 MiB', `"${'x'.repeat(1024 * 1024 - 1)}"`, 413, 'payload_too_large'],
    ['21 levels deep', deep(20), 400, 'invalid_request'],
    ['half a million levels deep', deep(250_000), 400, 'invalid_request'],
    ['cut off', '{"amount":', 400, 'invalid_request'],
    ['no JSON', 'amount=1999', 400, 'invalid_request'],
    ['two values', '{}{}', 400, 'invalid_request'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), 400, 'invalid_request'],
    ['NUL in a value', withReference('a\\u0000b'), 400, 'invalid_request'],
    ['NUL in a field name', '{"a\\u0000b":1}', 400, 'invalid_request'],
    ['half a surrogate pair', withReference('\\ud83d'), 400, 'invalid_request'],
    ['a field named __proto__', '{"__proto__":{"role":"admin"}}', 400, 'invalid_request'],
    ['a field named __proto__ further down', '{"payer":{"__proto__":{}}}', 400, 'invalid_request'],
  ];
