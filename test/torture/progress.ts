import { toIso } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';
import type { KeptProgram, Kills, Say } from './kills';
import { TARGETS, type TorturePlan } from './plan';
import type { TortureLife } from './torture-life';

/** Real ms. */
const EVERY = 10_000;

/** Prints the progress regularly. @returns a function that stops that */
export function watch(stack: ProcessStack, kills: Kills, lives: readonly TortureLife[], say: Say): () => void {
  const tell = () => {
    const ordered = lives.filter(({ paymentId }) => paymentId !== null).length;
    const debits = stack.sandbox.debits().filter(({ status }) => status === 'successful').length;
    say(`${toIso(stack.clock.now())}: ${kills.count} kills, ${ordered} ordered, ${debits} debits`);
  };
  const timer = setInterval(tell, EVERY);
  return () => clearInterval(timer);
}

/** Reports what was simulated, in addition to the verdict. @returns whether that was everything planned */
export function reportPlay(
  stack: ProcessStack,
  kept: readonly KeptProgram[],
  kills: Kills,
  plan: TorturePlan,
  lives: readonly TortureLife[],
  say: Say,
): boolean {
  say(`kills: ${TARGETS.map((target) => `${kills.done[target]} ${target}`).join(', ')}`);
  const longest = Math.round(Math.max(0, ...kills.outages));
  say(`servers were down for ${longest} ms at the longest`);
  kept.flatMap(({ endings }) => endings).forEach((ending) => say(`a program ended by itself with ${ending}`));
  say(`the API also answered: ${countsOf(lives.flatMap(({ answers }) => answers))}`);
  const countOf = (of: (life: TortureLife) => readonly unknown[]) => lives.flatMap(of).length;
  const captures = countOf(({ payment }) => payment?.captures ?? []);
  const asked = `${countOf(({ requests }) => requests)} changes of the amount, ${countOf(({ refunds }) => refunds)} refunds`;
  say(`asked for: ${asked}, ${captures} captures`);
  const faults = stack.sandbox.faults.list();
  const met = faults.filter(({ taken }) => taken > 0).map(({ spec }) => spec.kind);
  say(`faults met: ${countsOf(met)}`);
  const unmet = [...new Set(faults.map(({ spec }) => spec.kind))].filter((kind) => !met.includes(kind));
  if (unmet.length > 0) say(`faults that no request met: ${unmet.join(', ')}`);
  if (kills.count !== plan.kills.length) say(`only ${kills.count} of ${plan.kills.length} kills were done`);
  return unmet.length === 0 && kills.count === plan.kills.length && lives.length === plan.lives.length;
}

function countsOf(words: readonly string[]): string {
  const names = [...new Set(words)].sort();
  return names.map((name) => `${words.filter((word) => word === name).length} ${name}`).join(', ') || 'nothing';
}
