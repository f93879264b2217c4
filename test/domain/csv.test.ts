import fc from 'fast-check';
import { csvLine } from '../../src/domain/csv';
import { decimalOf, euros } from '../../src/domain/money';

test.each([
  ['text', 'text'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "a"', '"say ""a"""'],
  ['a\r\nb', '"a\r\nb"'],
  // Formulas at the start of a text.
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  // Formulas after a character at which a spreadsheet may split.
  ['a;=1', "a;'=1"],
  ['a,=1', `"a,'=1"`],
  ['a\t=1', "a\t'=1"],
  ['a"=1', `"a""'=1"`],
  ["a'=1", "a''=1"],
  ['a;-1;@b', "a;'-1;'@b"],
  ['\t=1', "'\t'=1"],
  // Formulas that start with a full-width character.
  ['\uff1d1', "'\uff1d1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20a', "'\uff20a"],
  ['a;\uff1d1', "a;'\uff1d1"],
  // In other places a sign does not start a formula.
  ['a=1', 'a=1'],
  ['a-b+c@d', 'a-b+c@d'],
  ['a; =1', 'a; =1'],
])('the text %j is written as %j', (text, written) => {
  expect(csvLine([text])).toBe(`${written}\r\n`);
});

test('numbers are written unchanged, and null as an empty cell', () => {
  expect(csvLine([-5, null, 0])).toBe('-5,,0\r\n');
});

const SEPARATORS = [';', ',', '\t', '"', "'"];

test('no part of a text starts a formula, wherever a spreadsheet splits it', () => {
  const characters = fc.constantFrom(...SEPARATORS, ...Array.from('=+-@\r\n\uff1d\uff0b\uff0d\uff20ab'));
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 12 }), (text) => {
      const parts = unquoted(csvLine([text])).split(/[;,\t"]/);
      expect(parts.filter((part) => /^[=+\-@\r\n\uff1d\uff0b\uff0d\uff20]/.test(part))).toEqual([]);
    }),
  );
});

function unquoted(line: string): string {
  const cell = line.slice(0, -2);
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [50, '0.50'],
  [1999, '19.99'],
  [100_000_000, '1000000.00'],
])('an amount of %i cents is written as %s', (cents, decimal) => {
  expect(decimalOf(euros(cents))).toBe(decimal);
});
