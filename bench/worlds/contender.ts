import { setTimeout as pause } from 'node:timers/promises';
import { type ClockSetting, type Instant, toIso } from '../../src/domain/time';
import type { Program } from './program';
import type { World } from './world';

/** Subscriptions that are granted and asleep, started by the client alone. */
export interface Batch {
  /** Unlike that of any other batch, and the beginning of no other's. */
  readonly prefix: string;
  readonly count: number;
  /** Business time of the first cycle that is theirs to collect. */
  readonly firstDueAt: Instant;
  /** Its number; 0 if none is given. */
  readonly cycle?: number;
  /** A word in the ids of their payments, by which the service is steered. */
  readonly word?: string;
  /** Temporal gives them to a worker for the first time when they fall due: so many can be started without one. */
  readonly wokenWhenDue?: boolean;
}

/** What collects what is due: one side of a comparison. */
export interface Drainable {
  /** @param env in addition to or instead of the product's defaults */
  startWorker(env?: Readonly<Record<string, string>>): Promise<Program>;
  begin(batch: Batch): Promise<void>;
  /** Cycles collected so far, and when the last was; epoch ms of real time. */
  collected(batch: Batch): Promise<{ readonly count: number; readonly lastAt: number }>;
}

/** One that has a workflow for each subscription. */
export interface Contender extends Drainable {
  workflowId(batch: Batch, index: number): string;
}

export const WEEK = 7 * 24 * 60 * 60 * 1000;

export function nameOf({ prefix }: Batch, index: number): string {
  return `${prefix}-${index}`;
}

export function paymentOf({ prefix, word = 'at-once' }: Batch, index: number): string {
  return `pay-${prefix}-${word}-${index}`;
}

/** Real epoch ms at which business time comes so far, or came. */
export function realOf({ clock }: Pick<World, 'clock'>, instant: Instant): number {
  return clock === null ? instant : clock.realStart + (instant - clock.virtualStart) / clock.speed;
}

/** Business time begins now, and a week takes so many real ms. */
export function clockOfWeeks(ms: number): ClockSetting {
  return { virtualStart: Date.UTC(2027, 0, 15, 8), realStart: Date.now(), speed: Math.round(WEEK / ms) };
}

/** As `TEST_CLOCK` takes it. */
export function clockVariable({ virtualStart, realStart, speed }: ClockSetting): string {
  return `${toIso(virtualStart)}@${toIso(realStart)}x${speed}`;
}

const BETWEEN_LOOKS = 100;

/** Until so many cycles of the batch are collected. @returns when the last was, epoch ms of real time. */
export async function untilCollected(
  contender: Drainable,
  batch: Batch,
  count: number,
  timeout: number,
): Promise<number> {
  const tooLate = performance.now() + timeout;
  for (;;) {
    const { count: done, lastAt } = await contender.collected(batch);
    if (done >= count) return lastAt;
    if (performance.now() > tooLate) throw new Error(`${done} of ${count} cycles were collected in ${timeout} ms`);
    await pause(BETWEEN_LOOKS);
  }
}

/** Real ms for which a program that is at rest was seen to do next to nothing. */
export const AT_REST = 1000;

/** Less than a twentieth of a processor for so long: nothing is left to do. */
export async function untilIdle(program: Program): Promise<void> {
  for (let before = await program.cpu(); ;) {
    await pause(AT_REST);
    const after = await program.cpu();
    if (after - before < AT_REST / 20) return;
    before = after;
  }
}
