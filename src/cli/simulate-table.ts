import { formatMoney } from '../domain/money';
import type { LifeRecord } from '../simulation/life-record';
import { attemptsAtBank, minute, sumUp, whyOf } from './simulate-words';

/** Cycle by cycle; every row has as many cells as the first, which names them. */
export function lifeTable(life: LifeRecord): string[][] {
  return [
    ['CYCLE', 'DUE (UTC)', 'COLLECTED AT', 'ATTEMPTS', 'AMOUNT', 'OUTCOME', 'WHY'],
    ...life.cycles.map((cycle) => [
      String(cycle.cycle),
      minute(cycle.dueAt),
      cycle.collectedAt === null ? '-' : minute(cycle.collectedAt),
      String(attemptsAtBank(cycle).length),
      formatMoney(cycle.amount),
      cycle.status,
      whyOf(cycle),
    ]),
  ];
}

/** What stands below the table. */
export function closingLines(life: LifeRecord): string[] {
  const { status, standing, cancelled, happenings } = life;
  const refused = happenings.flatMap(({ at, says, refusal }) =>
    refusal === null ? [] : [`refused at ${minute(at)}: ${says}: ${refusal}`],
  );
  const end = cancelled === null ? '' : ` by the ${cancelled.by} at ${minute(cancelled.at)}`;
  return [...refused, sumUp(life), `${status}${end}, standing ${standing}; watched until ${minute(life.until)}`];
}
