import type { PaymentRef } from '../../src/contract/activities';
import type { ConsentFacts } from '../../src/domain/attempt/attempt';
import { type ConsentAnswer, recordConsentAnswer } from '../../src/ledger';
import { consentAnswer, endOfConsent, noteUnreadable, toConsentResult } from '../consent/answer';
import type { Dependencies } from '../dependencies';
import { describe, retryAfter } from '../stops';

/** The consent as read in one pass. The answer is stored by the end of the pass, unless a "sending" row has stored it. */
export class ConsentReading {
  private read: ConsentAnswer | null = null;
  /** The answer that was read, until it is in the ledger; then null. */
  private unrecorded: ConsentAnswer | null = null;
  /** Whether recent checks of the consent have failed: the next readable answer is then stored immediately. */
  wasUnreadable = false;

  constructor(
    private readonly deps: Dependencies,
    private readonly payment: PaymentRef,
  ) {}

  /** The answer of the service; null if the consent was not read in this pass. */
  get answer(): ConsentAnswer | null {
    return this.read;
  }

  /**
   * @param isToBeSent whether the attempt has yet to be sent: only before a send is a pending consent reported as unreadable, not after
   *   a refusal
   */
  async check(isToBeSent: boolean): Promise<ConsentFacts> {
    const { deps, payment } = this;
    const askedAt = deps.clock.now();
    const consent = await deps.service.getConsent(payment.paymentId);
    if (consent.kind !== 'accepted') {
      await noteUnreadable(deps, payment, consent);
      return { kind: 'unreadable', why: describe(consent), retryAfter: retryAfter(consent) };
    }
    this.read = consentAnswer(payment, consent.value, askedAt);
    this.unrecorded = this.read;
    if (consent.value.status !== 'successful' || this.wasUnreadable) await this.record();
    const result = await toConsentResult(deps, payment, consent.value);
    if (result === null) {
      if (isToBeSent) await noteUnreadable(deps, payment, consent);
      return { kind: 'pending' };
    }
    return result.kind === 'granted' ? { kind: 'granted' } : endOfConsent(result);
  }

  /** Notes that a "sending" row has stored the answer. */
  markRecorded(): void {
    this.unrecorded = null;
  }

  /** Ends the pass: stores the answer if nothing has stored it yet. The next pass reads the consent again. */
  async end(): Promise<void> {
    this.read = null;
    await this.record();
  }

  private async record(): Promise<void> {
    const answer = this.unrecorded;
    this.unrecorded = null;
    if (answer !== null) await recordConsentAnswer(this.deps.ledger, answer);
  }
}
