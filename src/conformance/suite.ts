import { ASSUMPTIONS } from './rows/assumptions';
import { AUTHENTICATION } from './rows/authentication';
import { ENDPOINTS } from './rows/endpoints';
import { ERRORS } from './rows/errors';
import { FIELDS } from './rows/fields';
import { FLAGS } from './rows/flags';
import { ADDITIONAL_RULES, STATUS_QUERIES } from './rows/further-states';
import { CATEGORY_LIMITS, LIMITS } from './rows/limits';
import { LIST_ASSUMPTIONS } from './rows/lists';
import { PAYERS_REQUESTS } from './rows/payers-requests';
import { STATES } from './rows/states';
import { CAP_ROWS, SUBSCRIPTION_LIMITS } from './rows/subscription-limits';
import type { Exchange } from './exchange';
import { CannotBeTried, connectionFault, Differs } from './outcome';
import type { Row } from './row';
import { Stage } from './stage';
import type { World } from './world';

/** All rows; the assumptions come last. */
export const ROWS: readonly Row[] = [
  ...FIELDS,
  ...FLAGS,
  ...STATES,
  ...ADDITIONAL_RULES,
  ...STATUS_QUERIES,
  ...ENDPOINTS,
  ...AUTHENTICATION,
  ...ERRORS,
  ...LIMITS,
  ...CATEGORY_LIMITS,
  ...SUBSCRIPTION_LIMITS,
  ...CAP_ROWS,
  ...PAYERS_REQUESTS,
  ...ASSUMPTIONS,
  ...LIST_ASSUMPTIONS,
];

export type Finding = { readonly row: Row; readonly remarks: readonly string[] } & (
  | { readonly verdict: 'holds' }
  | { readonly verdict: 'differs'; readonly why: string; readonly exchange: Exchange }
  | { readonly verdict: 'cannot be tried'; readonly why: string }
);

/** The rows whose id is one of the names or begins with `name/`; all rows if there are no names; null if a name fits no row. */
export function chooseRows(names: readonly string[]): readonly Row[] | null {
  const fits = (row: Row, name: string): boolean => row.id === name || row.id.startsWith(`${name}/`);
  if (!names.every((name) => ROWS.some((row) => fits(row, name)))) return null;
  return names.length === 0 ? ROWS : ROWS.filter((row) => names.some((name) => fits(row, name)));
}

/** Plays the rows, several at a time if the world allows it; findings in the rows' order. */
export async function playRows(
  world: World,
  rows: readonly Row[],
  onFinding: (finding: Finding) => void = () => undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const waiting = rows.map((row, index) => ({ row, index }));
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const finding = await playRow(world, next.row);
      findings[next.index] = finding;
      onFinding(finding);
    }
  };
  await Promise.all(Array.from({ length: world.lanes }, lane));
  return findings;
}

async function playRow(world: World, row: Row): Promise<Finding> {
  const stage = new Stage(world);
  try {
    await row.play(stage);
    return { row, verdict: 'holds', remarks: stage.remarks };
  } catch (error) {
    const { remarks } = stage;
    if (error instanceof Differs) {
      return { row, verdict: 'differs', why: error.message, exchange: error.exchange, remarks };
    }
    if (error instanceof CannotBeTried) return { row, verdict: 'cannot be tried', why: error.message, remarks };
    const why = connectionFault(error);
    if (why !== null) return { row, verdict: 'cannot be tried', why, remarks };
    throw error;
  }
}
