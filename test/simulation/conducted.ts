import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { StepInput } from '../../src/contract/steps';
import type { SubscriptionId } from '../../src/domain/ids';
import type { WaitAfterFault } from '../../src/simulation/activity-runs';
import { Conductor, type DeliverNotices } from '../../src/simulation/conductor';
import { HandClock } from '../../src/simulation/hand-clock';
import { type Call, type Script, START, stepActivities } from '../support/step-world';

/** A life whose activities answer by a script, run without Temporal. */
export interface ConductedLife {
  readonly id: SubscriptionId;
  readonly clock: HandClock;
  readonly conductor: Conductor;
  readonly calls: readonly Call[];
  readonly names: readonly string[];
  pass(ms: number): Promise<void>;
}

export function conduct(script: Script, waitAfterFault?: WaitAfterFault): ConductedLife {
  const id = `sub-${randomUUID()}` as SubscriptionId;
  const clock = new HandClock(START);
  const calls: Call[] = [];
  const conductor = new Conductor(clock, scriptedActivities(clock, script, calls), NO_NOTICES, waitAfterFault);
  conductor.start(id);
  return {
    id,
    clock,
    conductor,
    calls,
    get names() {
      return calls.map(({ name }) => name);
    },
    pass: (ms) => conductor.passUntil(clock.now() + ms),
  };
}

/** Delivers no notices. */
export const NO_NOTICES: DeliverNotices = async () => null;

const noPayment = () => Promise.reject(new Error('no payment was ordered'));

type ConductedActivities = ConstructorParameters<typeof Conductor>[1];

/** @param calls records the calls */
export function scriptedActivities(clock: HandClock, script: Script, calls: Call[]): ConductedActivities {
  const answered = (name: Call['name']) => async (input: StepInput) => {
    const call = { name, input, at: clock.now(), isLocal: Context.current().info.isLocal };
    return script(call, calls.push(call) - 1);
  };
  return {
    ...stepActivities(answered),
    refundPayment: () => Promise.reject(new Error('no refund was ordered')),
    requestPayment: noPayment,
    decidePayment: noPayment,
    followPayment: noPayment,
  };
}
