import { type WorkflowHandle, WorkflowUpdateFailedError, type WorkflowUpdateHandle } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { ConsentRequestResult } from '../../src/contract/activities';
import {
  acknowledgeUpdate,
  type AttemptRef,
  cancelUpdate,
  changeAmountUpdate,
  checkConsentUpdate,
  judgeChangeQuery,
  noticeSignal,
  pauseUpdate,
  resolveCycleUpdate,
  resumeUpdate,
  retryCycleUpdate,
  skipCycleUpdate,
  stateQuery,
  steeredSignal,
  withdrawChangeUpdate,
} from '../../src/contract/messages';
import { SEARCH_ATTRIBUTES } from '../../src/contract/workflows';
import { type ClockSetting, realDelay, toBusiness, DAY, type Instant } from '../../src/domain/time';
import type { AmountChange, ChangeJudgement } from '../../src/domain/subscription/amount-request';
import { euros } from '../../src/domain/money';
import type { SubscriptionState } from '../../src/domain/subscription/state';
import type { PathName } from '../replay/paths';
import type { ScriptedBank } from './workflow-bank';
import { waitUntil } from './wait-until';

export const BY_A_PERSON = { actor: 'ops', keyId: '0c9a7e5d-2b4f-4d60-8e3a-5f6a7b8c9d0e', reason: 'asked to' };

/** `2026-01-31T10:00:00Z` as an instant. */
export function instant(iso: string): Instant {
  const parsed = Date.parse(iso);
  if (Number.isNaN(parsed)) throw new Error(`no instant: ${iso}`);
  return parsed;
}

/** A subscription whose time a test moves on, and of which it asks what people ask. */
export class RunningSubscription {
  requested: ConsentRequestResult | null = null;

  constructor(
    private readonly env: TestWorkflowEnvironment,
    readonly handle: WorkflowHandle,
    private readonly clock: ClockSetting,
    readonly bank: ScriptedBank,
    readonly request: () => Promise<ConsentRequestResult>,
    readonly path: PathName,
  ) {}

  /** Lets business time pass, by one sleep, until the instant. */
  async advanceTo(iso: string): Promise<void> {
    const delay = realDelay(this.clock, await this.env.currentTimeMs(), instant(iso));
    if (delay <= 0) throw new Error(`${iso} has passed`);
    await this.env.sleep(delay);
  }

  async now(): Promise<Instant> {
    return toBusiness(this.clock, await this.env.currentTimeMs());
  }

  state(): Promise<SubscriptionState> {
    return this.handle.query(stateQuery);
  }

  /** Waits, in real time, for what happens without business time passing. */
  until(what: string, holds: (bank: ScriptedBank) => boolean): Promise<void> {
    return waitUntil(what, () => holds(this.bank));
  }

  pause(until: string | null = null): Promise<void> {
    return this.handle.executeUpdate(pauseUpdate, {
      args: [{ ...BY_A_PERSON, until: until === null ? null : instant(until) }],
    });
  }

  async resume(): Promise<void> {
    return (await this.startResume()).result();
  }

  /** Steers in the ledger, beside the workflow, and tells it unless it is to hear later. */
  async steerBeside(patch: Parameters<ScriptedBank['steerBeside']>[0], tells = true): Promise<void> {
    const revision = this.bank.steerBeside(patch);
    if (tells) await this.handle.signal(steeredSignal, revision);
  }

  /** A person has done something about a notice, in the ledger. */
  noticeChanged(): Promise<void> {
    return this.handle.signal(noticeSignal);
  }

  /** As a caller asks who knows the row's newest revision. */
  resumeKnowing(revision: number): Promise<void> {
    return this.handle.executeUpdate(resumeUpdate, { args: [{ ...BY_A_PERSON, revision }] });
  }

  async cancel(): Promise<void> {
    return (await this.startCancel()).result();
  }

  /** @returns once the workflow has it; the answer is in the handle */
  startCancel(): Promise<WorkflowUpdateHandle<void>> {
    return this.handle.startUpdate(cancelUpdate, { args: [BY_A_PERSON], waitForStage: 'ACCEPTED' });
  }

  /** @returns once the workflow has it; the answer is in the handle */
  startResume(): Promise<WorkflowUpdateHandle<void>> {
    return this.handle.startUpdate(resumeUpdate, { args: [BY_A_PERSON], waitForStage: 'ACCEPTED' });
  }

  changeAmount(cents: number, fromCycle: number | null = null): Promise<AmountChange> {
    const request = { ...BY_A_PERSON, amount: euros(cents), fromCycle, announceAhead: 14 * DAY };
    return this.handle.executeUpdate(changeAmountUpdate, { args: [request] });
  }

  /**
   * As a caller asks who has seen the attempt's outcome in the ledger.
   * @returns once it is accepted; the answer is in the handle
   */
  changeAmountKnowing(cents: number, settled: AttemptRef): Promise<WorkflowUpdateHandle<AmountChange>> {
    const request = { ...BY_A_PERSON, amount: euros(cents), fromCycle: null, announceAhead: 14 * DAY, settled };
    return this.handle.startUpdate(changeAmountUpdate, { args: [request], waitForStage: 'ACCEPTED' });
  }

  judgeChange(cents: number, fromCycle: number | null = null): Promise<ChangeJudgement> {
    return this.handle.query(judgeChangeQuery, { amount: euros(cents), fromCycle, announceAhead: 14 * DAY });
  }

  async resolve(cycle: number, outcome: 'collected' | 'failed'): Promise<void> {
    return (await this.startResolve(cycle, outcome)).result();
  }

  /** @returns once the workflow has it; the answer is in the handle */
  startResolve(cycle: number, outcome: 'collected' | 'failed'): Promise<WorkflowUpdateHandle<void>> {
    const { actor, keyId } = BY_A_PERSON;
    const word = { actor, keyId, evidence: 'seen in the merchant portal' };
    return this.handle.startUpdate(resolveCycleUpdate, {
      args: [{ ...word, cycle, outcome, authorizationId: null, captureId: null }],
      waitForStage: 'ACCEPTED',
    });
  }

  withdrawChange(): Promise<void> {
    return this.handle.executeUpdate(withdrawChangeUpdate, { args: [BY_A_PERSON] });
  }

  skip(cycle: number): Promise<void> {
    return this.handle.executeUpdate(skipCycleUpdate, { args: [{ ...BY_A_PERSON, cycle }] });
  }

  retryNow(cycle: number): Promise<void> {
    return this.handle.executeUpdate(retryCycleUpdate, { args: [{ ...BY_A_PERSON, cycle }] });
  }

  acknowledge(): Promise<void> {
    return this.handle.executeUpdate(acknowledgeUpdate, { args: [BY_A_PERSON] });
  }

  checkConsent(): Promise<void> {
    return this.handle.executeUpdate(checkConsentUpdate, { args: [BY_A_PERSON] });
  }

  async searchAttributes(): Promise<Record<string, unknown>> {
    const { typedSearchAttributes } = await this.handle.describe();
    return Object.fromEntries(SEARCH_ATTRIBUTES.map((key) => [key.name, typedSearchAttributes.get(key)]));
  }

  /** What the Web UI shows of the state. */
  async currentDetails(): Promise<string> {
    return (await this.handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
  }

  /** What the Web UI shows beside timers and activities, in order. */
  async summaries(): Promise<string[]> {
    const { events } = await this.handle.fetchHistory();
    const payloads = (events ?? []).flatMap(({ userMetadata }) => userMetadata?.summary ?? []);
    return payloads.map((payload) => defaultPayloadConverter.fromPayload<string>(payload));
  }

  /** `COMPLETED` once the workflow has come to its own end. */
  async workflowStatus(): Promise<string> {
    return (await this.handle.describe()).status.name;
  }

  async ended(): Promise<void> {
    await waitUntil('the workflow has come to its end', async () => (await this.workflowStatus()) === 'COMPLETED');
  }

  /** Due dates and retries that reached the bank: `cycle/attempt at`. */
  get sent(): string[] {
    return this.bank.sends.map(({ cycle, attempt, at }) => `${cycle}/${attempt} ${minuteOf(at)}`);
  }
}

/** `2026-01-31 10:00`: business time passes a little while the test runs, so that seconds say nothing. */
export function minuteOf(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** The type and message by which the workflow refused. */
export async function refusalOf(request: Promise<unknown>): Promise<{ type: string; message: string }> {
  const error = await request.then(
    () => new Error('it was accepted'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return { type: error.cause.type ?? '', message: error.cause.message };
}
