import { useState } from 'preact/hooks';
import { ApiError } from './client';

/** The Idempotency-Key of an action: the same until it is known to be done or refused, so that a repeat does it only once. */
export class RepeatKey {
  private current = newKey();
  /** Whether the key belongs to an attempt with different input, whose outcome is unknown. */
  private isSpent = false;

  /** @throws what the call throws */
  async use<T>(call: (key: string) => Promise<T>): Promise<T> {
    try {
      const answer = await call(this.current);
      this.renew();
      return answer;
    } catch (fault) {
      if (isRefusal(fault)) this.renew();
      this.isSpent = fault instanceof ApiError && fault.code === 'idempotency_key_reused';
      throw fault;
    }
  }

  /** The user has left the dialog. If the key is spent, the dialog has asked them to check the current state first. */
  leave(): void {
    if (this.isSpent) this.renew();
  }

  private renew(): void {
    this.current = newKey();
    this.isSpent = false;
  }
}

/** The key of a component. */
export function useRepeatKey(): RepeatKey {
  const [key] = useState(() => new RepeatKey());
  return key;
}

/** Codes for a key that is in use or was used before: whether anything was done is unknown. */
const NOT_REFUSED = ['idempotency_in_progress', 'idempotency_key_reused'];

/** Whether certainly nothing was done. After a lost response or a server error the key is kept. */
function isRefusal(fault: unknown): boolean {
  if (!(fault instanceof ApiError)) return false;
  return fault.status >= 400 && fault.status < 500 && !NOT_REFUSED.includes(fault.code);
}

function newKey(): string {
  return crypto.randomUUID();
}
