import type { AttemptStory, CycleStory } from '../life-record';

/** How an attempt's outcome is drawn: distinguished by form first, by colour second. */
export type Mark = 'collected' | 'rejected' | 'capture_failed' | 'open' | 'not_sent';

export const MARKS: Readonly<Record<AttemptStory['outcome'], Mark>> = {
  successful: 'collected',
  rejected: 'rejected',
  rejected_retryable: 'rejected',
  capture_failed: 'capture_failed',
  not_sent: 'not_sent',
  sending: 'open',
  pending: 'open',
  unknown: 'open',
  unresolved: 'open',
};

/** Half of an attempt's width and height. */
export const REACH = 4;

export function drawMark(mark: Mark, x: number, y: number): string {
  switch (mark) {
    case 'collected':
      return element('circle', { class: 'ok', cx: x, cy: y, r: REACH });
    case 'rejected':
      return element('path', { class: 'bad-line', d: `${ring(x, y)}${cross(x, y, 1.8)}` });
    case 'capture_failed':
      return element('path', { class: 'bad-line', d: `${square(x, y)}${cross(x, y, 1.8)}` });
    case 'open':
      return element('path', {
        class: 'warn-line',
        d: `M${at(x, y - REACH)}L${at(x + REACH, y)}L${at(x, y + REACH)}L${at(x - REACH, y)}Z`,
      });
    case 'not_sent':
      return element('path', { class: 'faint-line', d: ring(x, y) });
  }
}

export const NOTICE_WIDTH = 9;

/** Draws an envelope, given its left edge and its middle. */
export function drawNotice(x: number, y: number): string {
  const [top, bottom, right] = [y - 3, y + 3, x + NOTICE_WIDTH];
  const body = `M${at(x, top)}H${rounded(right)}V${rounded(bottom)}H${rounded(x)}Z`;
  return element('path', {
    class: 'info-line',
    d: `${body}M${at(x, top)}L${at(x + NOTICE_WIDTH / 2, y + 0.5)}L${at(right, top)}`,
  });
}

interface DrawnOutcome {
  /** The style of the cycle's window. */
  readonly kind: 'ok' | 'bad' | 'skip' | 'warn' | 'coming';
  /** Shown after the cycle's number, so that the outcome is visible without colours. */
  readonly sign: string;
}

export const OUTCOMES: Readonly<Record<CycleStory['status'], DrawnOutcome>> = {
  collected: { kind: 'ok', sign: '' },
  failed: { kind: 'bad', sign: '×' },
  skipped: { kind: 'skip', sign: '–' },
  scheduled: { kind: 'coming', sign: '' },
  missed: { kind: 'warn', sign: '!' },
  collecting: { kind: 'warn', sign: '…' },
  dunning: { kind: 'warn', sign: '…' },
  unresolved: { kind: 'warn', sign: '…' },
};

function ring(x: number, y: number): string {
  return `M${at(x - REACH, y)}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z`;
}

function square(x: number, y: number): string {
  return `M${at(x - REACH, y - REACH)}h8v8h-8Z`;
}

function cross(x: number, y: number, size: number): string {
  return `M${at(x - size, y - size)}L${at(x + size, y + size)}M${at(x + size, y - size)}L${at(x - size, y + size)}`;
}

function at(x: number, y: number): string {
  return `${rounded(x)} ${rounded(y)}`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element; children are markup. Numbers are rounded to two decimals. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escape(typeof value === 'number' ? String(rounded(value)) : value)}"`,
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

/** An element that holds text: `text`, `title`, `desc`. */
export function textElement(name: string, attributes: Attributes, content: string): string {
  return element(name, attributes, escape(content));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
