import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';
import type { Answer, ProblemBody, Subscription } from '../scenarios/admin-api';
import { orderOf } from '../scenarios/order';
import { waitUntil } from '../support/wait-until';

const WEEK = 7 * DAY;
/** Real ms after which something that does not depend on business time counts as missing. */
const TIMEOUT = 120_000;
/** Business time within which a due date must be collected; its window is longer. */
const IN_TIME = 4 * DAY;
/** Real ms between two orders. */
const PACE = 1_500;

/** A subscription that a payer has approved. */
export interface Ordered {
  readonly id: string;
  readonly paymentId: string;
  readonly firstAt: number;
}

/** Callers who create, pause and resume subscriptions all the time, during every release. */
export class Load {
  readonly ordered: Ordered[] = [];
  /** Requests that got an unexpected answer. */
  readonly faults: string[] = [];
  asked = 0;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly stack: ProcessStack) {}

  begin(): void {
    this.running = this.order();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Creates one more subscription, due this many ms of business time from now. */
  async orderOne(lead: number): Promise<Ordered | null> {
    const ordered = await this.approveOne(lead);
    if (ordered === null) return null;
    const { id } = ordered;
    await this.ask(`check ${id}`, 200, () => this.stack.admin.post(`/v1/subscriptions/${id}/consent-check`));
    return ordered;
  }

  /** Creates one more whose workflow gets no signal about the consent: it polls the consent, and so decides once. */
  async orderUnnoticed(lead: number): Promise<Ordered | null> {
    const ordered = await this.approveOne(lead);
    if (ordered === null) return null;
    const { id } = ordered;
    const isActive = async () =>
      (await this.stack.admin.get<Subscription>(`/v1/subscriptions/${id}`)).body.status === 'active';
    await waitUntil(`${id} is active`, isActive, TIMEOUT);
    return ordered;
  }

  private async approveOne(lead: number): Promise<Ordered | null> {
    const { admin, sandbox, clock } = this.stack;
    const order = orderOf({ name: 'rolling', cents: 999, lead }, clock.now());
    const id = order.subscriptionId;
    const { body } = await this.ask(`order ${id}`, 201, () =>
      admin.post<Subscription & ProblemBody>('/v1/subscriptions', order),
    );
    if (body?.paymentId === undefined) return null;
    sandbox.payer(body.paymentId).approve('approves');
    const ordered = { id, paymentId: body.paymentId, firstAt: Date.parse(order.firstPaymentAt) };
    this.ordered.push(ordered);
    return ordered;
  }

  /** Pauses and resumes it, so that its workflow wakes. @param whilePaused awaited between the two */
  async touch({ id }: Ordered, whilePaused?: () => Promise<void>): Promise<void> {
    const { admin } = this.stack;
    const ask = (what: string) =>
      this.ask(`${what} ${id}`, 200, () => admin.post(`/v1/subscriptions/${id}/${what}`, { reason: 'rolling' }));
    await ask('pause');
    await whilePaused?.();
    await ask('resume');
  }

  /** Pauses it to the end of the campaign. */
  async pause({ id }: Ordered): Promise<void> {
    const { admin, clock } = this.stack;
    const body = { reason: 'rolling', until: toIso(clock.now() + LONG) };
    await this.ask(`pause ${id}`, 200, () => admin.post(`/v1/subscriptions/${id}/pause`, body));
  }

  /** Waits until its first payments have been collected. */
  async collected({ id, paymentId }: Ordered, times = 1): Promise<void> {
    await waitUntil(`${id} is collected ${times} times`, () => this.debitsOf(paymentId).length >= times, 2 * TIMEOUT);
  }

  /** Dates that should have been collected by now and were not, and any that was collected twice. */
  judge(): readonly string[] {
    const now = this.stack.clock.now();
    return this.ordered.flatMap(({ id, paymentId, firstAt }) => {
      const cycles = this.debitsOf(paymentId).map(({ cycle }) => cycle);
      const due = Math.floor((now - IN_TIME - firstAt) / WEEK) + 1;
      const lost = Array.from({ length: Math.max(0, due) }, (_, cycle) => cycle).filter(
        (cycle) => !cycles.includes(cycle),
      );
      const twice = cycles.filter((cycle, index) => cycles.indexOf(cycle) !== index);
      return [
        ...lost.map((cycle) => `${id}: cycle ${cycle} lost`),
        ...twice.map((cycle) => `${id}: cycle ${cycle} twice`),
      ];
    });
  }

  private debitsOf(paymentId: string) {
    return this.stack.sandbox.payment(paymentId).debits.filter(({ status }) => status === 'successful');
  }

  private async order(): Promise<void> {
    while (!this.isOver) {
      await this.orderOne(DAY);
      await pause(PACE);
    }
  }

  private async ask<T>(
    what: string,
    status: number,
    request: () => Promise<Answer<T & ProblemBody>>,
  ): Promise<{ readonly body: T | null }> {
    this.asked += 1;
    const at = toIso(this.stack.clock.now());
    try {
      const answer = await request();
      if (answer.status === status) return { body: answer.body };
      this.faults.push(`${at} ${what}: ${answer.status} ${answer.body.code}`);
    } catch (error) {
      this.faults.push(`${at} ${what}: ${String(error)}`);
    }
    return { body: null };
  }
}

/** The longest time from an order to its first payment, after which all of it has been simulated. */
export const LONG = 30 * DAY + HOUR;
