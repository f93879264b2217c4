import type { Stage } from './stage';

/** One row, or one sentence with a rule, of the reference; and how it is played. */
export interface Row {
  /** `states/consent-declined`: what it is called on the command line. */
  readonly id: string;
  /** The section of the reference that contains the quotation. */
  readonly section: string;
  /** The reference's own words. If the reference leaves it open: what dueday assumes instead. */
  readonly quote: string;
  /** Whether the words are the reference's, or an assumption about what it does not show. */
  readonly kind: 'reference' | 'assumption';
  /** Plays the row; the returned value is ignored. @throws Differs, CannotBeTried */
  readonly play: (stage: Stage) => Promise<unknown>;
}

type Play = Row['play'];

/** Rows of one section: `rowsOf('Limits', {'limits/token': ['Access token validity | 300 seconds', async (stage) => …]})`. */
export function rowsOf(
  section: string,
  rows: Readonly<Record<string, readonly [quote: string, play: Play]>>,
  kind: Row['kind'] = 'reference',
): Row[] {
  return Object.entries(rows).map(([id, [quote, play]]) => ({ id, section, quote, kind, play }));
}
