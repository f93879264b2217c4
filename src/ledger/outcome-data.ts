import type { EventData } from '../domain/trail/event';
import { toIso } from '../domain/time';

/** Fields of an outcome that are instants, business or real. */
const INSTANTS: readonly string[] = ['createdAt', 'nextDueAt', 'sinceReal'];

/** An outcome as the trail tells it: every instant as ISO text. */
export function outcomeData(outcome: object): EventData {
  return Object.fromEntries(
    Object.entries(outcome).map(([name, value]: [string, unknown]) => [
      name,
      INSTANTS.includes(name) && typeof value === 'number' ? toIso(value) : value,
    ]),
  );
}
