import fc from 'fast-check';
import { maskEmail } from '../../src/admin/access/powers';

test.each([
  ['ada@example.com', 'a***@example.com'],
  ['a@example.com', 'a***@example.com'],
  ['ada.byron+shop@mail.example.com', 'a***@mail.example.com'],
  ['"a@b"@example.com', '"***@example.com'],
  ['ärger@example.com', 'ä***@example.com'],
  ['😀x@example.com', '😀***@example.com'],
  ['@example.com', '***'],
  ['no address', '***'],
  ['', '***'],
])('the e-mail address %j is shown as %s', (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});

test('masked addresses of one domain differ only in their first character', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const [shown, also] = [maskEmail(`a${one}@example.com`), maskEmail(`a${other}@example.com`)];
      expect(shown).toBe(also);
    }),
  );
});
