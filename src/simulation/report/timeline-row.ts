import { formatMoney, type Money } from '../../domain/money';
import { addMonths, longestInterval, type Repetition } from '../../domain/subscription/schedule';
import { DAY, type Instant } from '../../domain/time';
import type { CycleStory, DrawnLife, NoticeStory } from '../life-record';
import { minute, describePause, whyOf } from './text';
import { element, textElement, drawMark, drawNotice, MARKS, NOTICE_WIDTH, OUTCOMES, REACH } from './timeline-marks';

export const WIDTH = 960;
export const LEFT = 76;
const PLOT = WIDTH - LEFT - 14;

/** Heights of the lanes of a row, from top to bottom. In pixels. */
const AMOUNT_HEIGHT = 12;
const NOTICE_HEIGHT = 11;
const ATTEMPT_HEIGHT = 11;
const WINDOW_HEIGHT = 8;
const NUMBERS_HEIGHT = 12;
const MONTHS_HEIGHT = 18;
const ROW_GAP = 14;

/** The width of a letter of an amount, and the least width of a window. In pixels. */
const LETTER_WIDTH = 6.4;
const MIN_WINDOW_WIDTH = 4;

/** Writes an amount for the reader of the drawing. */
export type WriteMoney = (amount: Money) => string;

interface DrawnRow {
  readonly markup: string;
  readonly height: number;
}

/** Draws one row with its upper edge at 0. */
function drawRow(row: Row, life: DrawnLife, write: WriteMoney): DrawnRow {
  const x = (at: Instant) =>
    LEFT + ((Math.min(Math.max(at, row.from), row.to) - row.from) / (row.to - row.from)) * PLOT;
  const amounts = placeAmounts(row, life, x, write);
  const lines = Math.max(1, ...amounts.map(({ line }) => line + 1));
  const others = life.notices.filter(({ type, at }) => type !== 'payment.failed' && row.from <= at && at < row.to);
  const noticeLane = lines * AMOUNT_HEIGHT + 4;
  const ladder = noticeLane + (others.length > 0 ? NOTICE_HEIGHT : 0);
  const base = ladder + ATTEMPT_HEIGHT * Math.max(1, ...row.cycles.map(({ attempts }) => attempts.length)) + 2;
  const markup = [
    ...drawPauses(row, life, x, noticeLane, base + WINDOW_HEIGHT),
    textElement('text', { class: 'year', x: 8, y: base + WINDOW_HEIGHT }, row.label),
    ...drawAxis(row, x, base),
    ...amounts.map((amount) => drawAmount(amount, AMOUNT_HEIGHT)),
    ...drawOtherNotices(others, x, noticeLane + NOTICE_HEIGHT / 2),
    ...row.cycles.map((cycle) => drawCycle(cycle, x, base, write)),
    ...drawEnd(row, life, x, noticeLane, base + WINDOW_HEIGHT),
    ...drawNow(row, life, x, noticeLane, base + WINDOW_HEIGHT),
  ];
  return { markup: markup.join(''), height: base + WINDOW_HEIGHT + NUMBERS_HEIGHT + MONTHS_HEIGHT + ROW_GAP };
}

/** Draws the rows below each other, starting at `top`, and returns their total height. */
export function drawRows(
  rows: readonly Row[],
  life: DrawnLife,
  top: number,
  write: WriteMoney = formatMoney,
): DrawnRow {
  let height = 0;
  const markup = rows.map((row) => {
    const drawn = drawRow(row, life, write);
    const group = element('g', { transform: `translate(0 ${top + height})` }, drawn.markup);
    height += drawn.height;
    return group;
  });
  return { markup: markup.join(''), height };
}

type Scale = (at: Instant) => number;

function drawAxis(row: Row, x: Scale, base: number): string[] {
  const bottom = base + WINDOW_HEIGHT + NUMBERS_HEIGHT + 4;
  // Interrupted at the cycles' numbers.
  const line = (at: number) =>
    element('path', {
      class: 'axis',
      d: `M${at.toFixed(1)} ${base - 4}v${WINDOW_HEIGHT + 6}M${at.toFixed(1)} ${bottom}v11`,
    });
  const ticks = row.ticks.flatMap(({ at, label }) => [
    line(x(at)),
    textElement('text', { class: 'muted', x: x(at) + 4, y: bottom + 10 }, label),
  ]);
  const y = base + WINDOW_HEIGHT / 2;
  return [...ticks, element('line', { class: 'axis', x1: LEFT, y1: y, x2: LEFT + PLOT, y2: y }), line(LEFT + PLOT)];
}

interface PlacedAmount {
  readonly text: string;
  readonly x: number;
  /** Where its line ends: at the next amount, the cancellation or the end of the row. */
  readonly until: number;
  /** 0 for the uppermost line of labels. */
  readonly line: number;
}

const LINES = 3;

/** The amount in force at the start of the row, and each change. A label that would overlap another moves a line down, or is omitted. */
function placeAmounts(row: Row, life: DrawnLife, x: Scale, write: WriteMoney): PlacedAmount[] {
  const known = life.amounts.filter(({ dueAt }) => dueAt < row.to);
  const before = known.filter(({ dueAt }) => dueAt < row.from).at(-1);
  const first = row.cycles[0];
  const inForce = before === undefined || first === undefined ? [] : [{ ...before, dueAt: first.dueAt, isOld: true }];
  const shown = [
    ...inForce.filter(({ dueAt }) => !known.some((each) => each.dueAt === dueAt)),
    ...known.filter(({ dueAt }) => dueAt >= row.from).map((each) => ({ ...each, isOld: false })),
  ];
  const ends: number[] = Array.from({ length: LINES }, () => 0);
  return shown.flatMap(({ dueAt, amount, isOld, cycle }, index) => {
    const text = labelOf(amount, isOld ? undefined : amountBefore(life, cycle), write);
    const line = ends.findIndex((end) => end + 4 <= x(dueAt));
    if (line < 0) return [];
    ends[line] = x(dueAt) + text.length * LETTER_WIDTH;
    const next = shown[index + 1];
    const until = next?.dueAt ?? life.cancelled?.at ?? row.to;
    return [{ text, x: x(dueAt), until: x(until), line }];
  });
}

function amountBefore(life: DrawnLife, cycle: number): Money | undefined {
  return life.amounts.filter((each) => each.cycle < cycle).at(-1)?.amount;
}

function labelOf(amount: Money, before: Money | undefined, write: WriteMoney): string {
  if (before === undefined) return write(amount);
  return `${amount.value > before.value ? '▲' : '▼'} ${write(amount)}`;
}

function drawAmount({ text, x, until, line }: PlacedAmount, lineHeight: number): string {
  const y = (line + 1) * lineHeight - 2;
  return (
    textElement('text', { x: x + 3, y }, text) +
    element('path', { class: 'amount', d: `M${x.toFixed(1)} ${y - 8}V${y + 3}H${Math.max(x, until - 3).toFixed(1)}` })
  );
}

function drawPauses(row: Row, life: DrawnLife, x: Scale, top: number, bottom: number): string[] {
  return life.pauses.flatMap(({ from, until }) => {
    const [start, end] = [Math.max(from, row.from), Math.min(until ?? life.until, row.to)];
    if (start >= end) return [];
    const title = describePause({ from, until });
    const box = { class: 'pause', x: x(start), y: top, width: Math.max(1, x(end) - x(start)), height: bottom - top };
    return [element('g', {}, textElement('title', {}, title), element('rect', box))];
  });
}

/** Notices that belong to no attempt; one that would overlap another moves aside. */
function drawOtherNotices(notices: readonly NoticeStory[], x: Scale, y: number): string[] {
  let free = 0;
  return notices.map(({ at, type }) => {
    const left = Math.max(free, x(at));
    free = left + NOTICE_WIDTH + 2;
    return element('g', {}, textElement('title', {}, `${type}, ${minute(at)}`), drawNotice(left, y));
  });
}

function drawCycle(cycle: CycleStory, x: Scale, base: number, write: WriteMoney): string {
  const due = x(cycle.dueAt);
  const width = Math.max(MIN_WINDOW_WIDTH, x(cycle.collectBy) - due);
  const attempts = cycle.attempts.flatMap((attempt, index) => {
    const [left, y] = [x(attempt.at) + REACH, base - ATTEMPT_HEIGHT * index - ATTEMPT_HEIGHT / 2];
    const mark = drawMark(MARKS[attempt.outcome], left, y);
    return attempt.noticeAt === null ? [mark] : [mark, drawNotice(left + REACH + 2, y)];
  });
  return element(
    'g',
    {},
    textElement('title', {}, describe(cycle, write)),
    element('rect', { class: `window ${OUTCOMES[cycle.status].kind}`, x: due, y: base, width, height: WINDOW_HEIGHT }),
    element('line', { class: 'due', x1: due, y1: base - 2, x2: due, y2: base + WINDOW_HEIGHT + 2 }),
    ...attempts,
    drawNumber(cycle, due, base + WINDOW_HEIGHT + NUMBERS_HEIGHT),
  );
}

function drawNumber(cycle: CycleStory, x: number, y: number): string {
  const { sign, kind } = OUTCOMES[cycle.status];
  const signClass = kind === 'bad' ? 'sign-bad' : kind === 'warn' ? 'sign-warn' : 'muted';
  const marked = sign === '' ? [] : [textElement('tspan', { class: signClass, dx: 1 }, sign)];
  return element('text', { class: 'muted', x, y }, String(cycle.cycle), ...marked);
}

function describe(cycle: CycleStory, write: WriteMoney): string {
  const { dueAt, amount, status, collectedAt } = cycle;
  const when = collectedAt === null ? '' : ` at ${minute(collectedAt)}`;
  return `cycle ${cycle.cycle}, due ${minute(dueAt)}, ${write(amount)}: ${status}${when}, ${whyOf(cycle)}`;
}

const END_LABEL = 140;

function drawEnd(row: Row, { cancelled }: DrawnLife, x: Scale, top: number, bottom: number): string[] {
  if (cancelled === null || cancelled.at < row.from || cancelled.at >= row.to) return [];
  const at = x(cancelled.at);
  const isFarRight = at + END_LABEL > WIDTH;
  // The notice of the cancellation is drawn to the right of the line.
  const label = {
    x: isFarRight ? at - 4 : at + NOTICE_WIDTH + 7,
    y: top + 8,
    'text-anchor': isFarRight ? 'end' : 'start',
  };
  return [
    element('line', { class: 'end', x1: at, y1: top, x2: at, y2: bottom + 2 }),
    textElement('text', label, `cancelled by the ${cancelled.by}`),
  ];
}

function drawNow(row: Row, { now }: DrawnLife, x: Scale, top: number, bottom: number): string[] {
  if (now === null || now < row.from || now >= row.to) return [];
  const line = element('line', { class: 'now', x1: x(now), y1: top, x2: x(now), y2: bottom + 2 });
  return [element('g', {}, textElement('title', {}, `now, ${minute(now)}`), line)];
}

/** A period of the calendar on one line of the drawing. */
export interface Row {
  readonly from: Instant;
  readonly to: Instant;
  readonly label: string;
  readonly ticks: readonly Tick[];
  readonly cycles: readonly CycleStory[];
}

export interface Tick {
  readonly at: Instant;
  readonly label: string;
}

/** Chosen so that neighbouring due dates are well apart, and five days are still visible. */
function monthsPerRow(repetition: Repetition): number {
  const days = longestInterval(repetition) / DAY;
  if (days < 28) return 6;
  if (days <= 31) return 12;
  return days < 360 ? 24 : 60;
}

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The rows from the first due date to the last event, each starting in January or July. */
export function rowsOf(life: DrawnLife): Row[] {
  const months = monthsPerRow(life.terms.repetition);
  const last = lastEvent(life);
  const rows: Row[] = [];
  for (let from = startOfRow(life.terms.firstPaymentAt, months); from <= last; from = addMonths(from, months)) {
    const to = addMonths(from, months);
    const cycles = life.cycles.filter(({ dueAt }) => from <= dueAt && dueAt < to);
    rows.push({ from, to, label: labelOfRow(from, months), ticks: ticksOf(from, months), cycles });
  }
  return rows;
}

function lastEvent({ terms, cycles, cancelled }: DrawnLife): Instant {
  return Math.max(terms.firstPaymentAt, cycles.at(-1)?.dueAt ?? 0, cancelled?.at ?? 0);
}

function startOfRow(first: Instant, months: number): Instant {
  const date = new Date(first);
  const month = months < 12 ? Math.floor(date.getUTCMonth() / months) * months : 0;
  return Date.UTC(date.getUTCFullYear(), month, 1);
}

function labelOfRow(from: Instant, months: number): string {
  const year = new Date(from).getUTCFullYear();
  return months <= 12 ? String(year) : `${year}–${String(year + months / 12 - 1).slice(-2)}`;
}

function ticksOf(from: Instant, months: number): Tick[] {
  const step = months <= 12 ? 1 : months <= 24 ? 3 : 12;
  return Array.from({ length: months / step }, (_, index) => {
    const at = addMonths(from, index * step);
    const date = new Date(at);
    const month = MONTH_NAMES[date.getUTCMonth()] ?? '';
    const year = date.getUTCFullYear();
    if (step === 12) return { at, label: String(year) };
    return { at, label: months > 12 && month === 'Jan' ? `Jan ${year}` : month };
  });
}
