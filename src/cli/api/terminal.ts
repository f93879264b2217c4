import { createInterface } from 'node:readline/promises';
import { type Figure, formatMoney, type Money } from '../../domain/money';
import { BadInputError } from '../../process/command-error';
import { print, printObjects, printTable } from '../output';

type Item = Readonly<Record<string, unknown>>;

/** Formatters of table cells, by field name. */
export type Cells = Readonly<Record<string, (value: unknown) => string>>;

/** The fields of a table (by default all those of the first item), and how some of them are shown. */
interface TableForm {
  readonly columns?: readonly string[];
  readonly cells?: Cells;
}

/** Prints a table on a terminal; otherwise, or on request, JSON with one object per line. The last column is not cut. */
export function showList(items: readonly Item[], { columns, cells = {} }: TableForm, asJson: boolean): void {
  if (asJson) {
    printObjects(items);
    return;
  }
  const names = columns ?? Object.keys(items[0] ?? {});
  const cell = (item: Item, name: string) => {
    const value = item[name];
    return cellOf(value === undefined ? value : (cells[name]?.(value) ?? value), name === names.at(-1));
  };
  if (items.length === 0) print('no items');
  else printTable([names.map(headingOf), ...items.map((item) => names.map((name) => cell(item, name)))]);
}

/** Prints one answer: on a terminal a line for each field and nested field, otherwise JSON. */
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

const MAX_CELL_LENGTH = 120;

function cellOf(value: unknown, isWhole = false): string {
  if (value === undefined || value === null) return '';
  if (isMoney(value)) return formatMoney(value);
  if (isFigure(value)) return `${value.count} x, ${formatMoney(value.amount)}`;
  const text = typeof value === 'string' ? value : isTexts(value) ? value.join(' ') : JSON.stringify(value);
  const line = text.replace(CONTROL, ' ');
  return isWhole || line.length <= MAX_CELL_LENGTH ? line : `${line.slice(0, MAX_CELL_LENGTH - 1)}…`;
}

/** Text from others must not contain terminal control sequences. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'currency' in value && 'value' in value;
}

/** Whether it is exactly a {@link Figure}: an amount and a count. */
function isFigure(value: unknown): value is Figure {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('count' in value)) return false;
  return isMoney(value.amount) && Object.keys(value).length === 2;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/**
 * Asks for a confirmation.
 * @param what one sentence about the consequence
 * @throws BadInputError if there is no terminal to ask on, or the answer is no
 */
export async function confirm(what: string): Promise<void> {
  if (!process.stdin.isTTY) throw new BadInputError([`${what} Use --yes to skip the confirmation.`]);
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialog.question(`${what} Continue? [y/N] `).finally(() => dialog.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new BadInputError(['cancelled: nothing was done']);
}
