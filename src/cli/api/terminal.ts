import { createInterface } from 'node:readline/promises';
import { type Figure, formatMoney, type Money } from '../../domain/money';
import { BadInputError } from '../../process/command-error';
import { print, printObjects, printTable } from '../output';

type Item = Readonly<Record<string, unknown>>;

/** How fields are shown in a table, by their name. */
export type Cells = Readonly<Record<string, (value: unknown) => string>>;

/** Which fields a table has, all of the first item's if they are left out, and how some of them are shown. */
interface Shown {
  readonly columns?: readonly string[];
  readonly cells?: Cells;
}

/** A table on a terminal; elsewhere, or if asked for, JSON: one object a line. The last column is shown whole. */
export function showList(items: readonly Item[], { columns, cells = {} }: Shown, asJson: boolean): void {
  if (asJson) {
    printObjects(items);
    return;
  }
  const names = columns ?? Object.keys(items[0] ?? {});
  const cell = (item: Item, name: string) => {
    const value = item[name];
    return cellOf(value === undefined ? value : (cells[name]?.(value) ?? value), name === names.at(-1));
  };
  if (items.length === 0) print('nothing');
  else printTable([names.map(headingOf), ...items.map((item) => names.map((name) => cell(item, name)))]);
}

/** One answer: a page on a terminal, a line for each field and each field of an object in it; JSON elsewhere. */
export function showOne(answer: unknown, asJson: boolean): void {
  if (asJson || typeof answer !== 'object' || answer === null) print(JSON.stringify(answer, null, 2));
  else printTable(fieldsOf(answer).map(([name, value]) => [headingOf(name), cellOf(value, true)]));
}

function fieldsOf(answer: object): [string, unknown][] {
  return Object.entries(answer).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isMoney(value) || isFigure(value))
      return [[name, value]];
    return fieldsOf(value).map(([inner, each]) => [`${name} ${inner}`, each]);
  });
}

/** `nextDueAt` is headed NEXT DUE AT. */
function headingOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z]+)/g, '$1 $2').toUpperCase();
}

const LONGEST_CELL = 120;

function cellOf(value: unknown, isWhole = false): string {
  if (value === undefined || value === null) return '';
  if (isMoney(value)) return formatMoney(value);
  if (isFigure(value)) return `${value.count} x, ${formatMoney(value.amount)}`;
  const text = typeof value === 'string' ? value : isTexts(value) ? value.join(' ') : JSON.stringify(value);
  const line = text.replace(CONTROL, ' ');
  return isWhole || line.length <= LONGEST_CELL ? line : `${line.slice(0, LONGEST_CELL - 1)}…`;
}

/** What others have written must not steer a terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'currency' in value && 'value' in value;
}

/** So much money in so many parts: as {@link Figure}, and nothing besides. */
function isFigure(value: unknown): value is Figure {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('count' in value)) return false;
  return isMoney(value.amount) && Object.keys(value).length === 2;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/**
 * Asks before money moves or stops.
 * @param what one sentence of what follows
 * @throws BadInputError where there is no terminal to ask on, or the answer is no
 */
export async function confirm(what: string): Promise<void> {
  if (!process.stdin.isTTY) throw new BadInputError([`${what} Say --yes to do it without being asked.`]);
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialog.question(`${what} Go on? [y/N] `).finally(() => dialog.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new BadInputError(['not done']);
}
