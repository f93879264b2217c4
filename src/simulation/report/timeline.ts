import { formatMoney } from '../../domain/money';
import type { LifeRecord } from '../life-record';
import { minute, describePause, sumUp } from './text';
import { element, textElement } from './timeline-marks';
import { drawRows, LEFT, WIDTH, rowsOf } from './timeline-row';
import { drawLegend, HATCH, LEGEND_HEIGHT, STYLE } from './timeline-style';

const HEADER = 58;
const MARGIN = 8;

/** Draws the life as a self-contained SVG, light or dark according to the reader's settings. */
export function drawTimeline(life: LifeRecord): string {
  const heading = headingOf(life);
  const sum = `${sumUp(life)}; ${life.status}`;
  const rows = drawRows(rowsOf(life), life, HEADER);
  const top = HEADER + rows.height;
  const height = top + LEGEND_HEIGHT + MARGIN;
  const names = { role: 'img', 'aria-labelledby': 'dueday-title dueday-desc' };
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height };
  const drawing = element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', class: 'dueday', ...size, ...names },
    textElement('title', { id: 'dueday-title' }, heading),
    textElement('desc', { id: 'dueday-desc' }, descriptionOf(life, sum)),
    element('style', {}, STYLE),
    element('defs', {}, HATCH),
    textElement('text', { class: 'heading', x: 8, y: 22 }, heading),
    textElement('text', { class: 'sum muted', x: 8, y: 41 }, sum),
    rows.markup,
    drawLegend(LEFT, top + 6),
  );
  return `${drawing}\n`;
}

function headingOf({ terms }: LifeRecord): string {
  const repetition = terms.repetition.toLowerCase().replace('_', '-');
  return `${formatMoney(terms.consentAmount)} ${repetition}, first due ${minute(terms.firstPaymentAt)} UTC`;
}

/** A text description of the drawing for screen readers. */
function descriptionOf(life: LifeRecord, sum: string): string {
  const uncollected = life.cycles.filter(({ status }) => status !== 'collected');
  const exceptions = uncollected.map(({ cycle, status, dueAt }) => `cycle ${cycle} of ${minute(dueAt)} ${status}`);
  const amounts = life.amounts.slice(1).map(({ cycle, amount }) => `${formatMoney(amount)} from cycle ${cycle} on`);
  return [
    `A calendar of due dates, collection windows, attempts and notices. ${sum}`,
    ...amounts,
    ...life.pauses.map(describePause),
    ...exceptions,
  ].join('. ');
}
