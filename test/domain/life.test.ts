import fc from 'fast-check';
import { collectionWindow, dueAt, hasCycle } from '../../src/domain/subscription/schedule';
import { MINUTE } from '../../src/domain/time';
import { MAX_RETRIES, retryLimit } from '../../src/domain/subscription/retries';
import { anyScript } from './any-script';
import { live } from './life';
import type { Interval, Life } from './life-record';

const RUNS = 600;

/** The lives of the sampled scripts. All tests judge the same lives, so they are simulated only once. */
let lived: readonly Life[] | null = null;

function always(rule: (life: Life) => void): void {
  try {
    lived ??= fc.sample(anyScript, RUNS).map(live);
    lived.forEach(rule);
  } catch (error) {
    // This run fails as well, and reports the shortest script that fails.
    fc.assert(
      fc.property(anyScript, (script) => rule(live(script))),
      { numRuns: RUNS },
    );
    throw error;
  }
}

function cyclesOf(life: Life): number[] {
  return [...new Set([...life.outcomes, ...life.posts].map(({ cycle }) => cycle))];
}

/** True if the hindrances cover all of `[from, to)`. */
function isCovered(from: number, to: number, hindrances: readonly Interval[]): boolean {
  let reached = from;
  for (const each of [...hindrances].sort((a, b) => a.from - b.from)) {
    if (each.from <= reached) reached = Math.max(reached, each.to);
  }
  return reached >= to;
}

it('any life ends, and never repeats a step for ever in the same instant', () => {
  always((life) => expect(['cancelled', 'completed']).toContain(life.state.status));
});

it('any life has at most one debit a cycle', () => {
  always((life) => {
    for (const cycle of cyclesOf(life)) {
      expect(life.posts.filter((post) => post.cycle === cycle && post.debits).length).toBeLessThanOrEqual(1);
    }
  });
});

it('any life counts a cycle as collected if and only if it was debited', () => {
  always((life) => {
    for (const { cycle, outcome } of life.outcomes) {
      const debited = life.posts.some((post) => post.cycle === cycle && post.debits);
      expect([cycle, outcome.startsWith('collected')]).toEqual([cycle, debited]);
    }
  });
});

it('any life gives every due date before the end of the subscription exactly one outcome', () => {
  always((life) => {
    const { terms } = life.script;
    const cycles = life.outcomes.map(({ cycle }) => cycle).sort((a, b) => a - b);
    expect(cycles).toEqual(cycles.map((_, n) => n));
    const next = cycles.length;
    if (!hasCycle(terms, next)) return;
    expect(life.state.status).toBe('cancelled');
    const { cancellation, endSeenAt } = life.state;
    expect(dueAt(terms, next)).toBeGreaterThanOrEqual(cancellation?.at ?? endSeenAt ?? NaN);
  });
});

it('any life ends with nothing open or pending', () => {
  always(({ state }) => expect([state.open, state.pending]).toEqual([null, []]));
});

it('any life sends only inside the window, less the transit margin', () => {
  always(({ script, posts }) => {
    for (const post of posts) {
      const window = collectionWindow(script.terms, post.cycle);
      expect(post.at).toBeGreaterThanOrEqual(window.dueAt);
      expect(post.at).toBeLessThan(window.collectBy - script.policy.transit);
    }
  });
});

it('any life sends nothing while paused, nor for a due date in a pause', () => {
  always(({ script, posts, pauses }) => {
    for (const post of posts) {
      const due = dueAt(script.terms, post.cycle);
      expect(pauses.filter(({ from, to }) => from <= post.at && post.at < to && from !== post.at)).toEqual([]);
      expect(pauses.filter(({ from, to }) => from < due && due < to)).toEqual([]);
    }
  });
});

it('any life sends nothing once the consent has ended', () => {
  always(({ posts, consentGoneAt }) => {
    for (const post of posts) expect(post.at).toBeLessThanOrEqual(consentGoneAt ?? Infinity);
  });
});

it('any life makes a retry only a minute or more after a delivered notice about the last failure', () => {
  always(({ posts, noticed }) => {
    for (const post of posts.filter(({ attempt }) => attempt > 0)) {
      const notice = noticed.find(({ cycle, attempt }) => cycle === post.cycle && attempt === post.attempt - 1);
      expect(notice?.at).toBeLessThanOrEqual(post.at - MINUTE);
    }
  });
});

it('any life makes a retry only after a retryable rejection, at most as often as allowed, and before the limit L', () => {
  always(({ script, posts, refusals }) => {
    for (const post of posts.filter(({ attempt }) => attempt > 0)) {
      const before = refusals.filter(({ cycle, attempt }) => cycle === post.cycle && attempt < post.attempt);
      expect(before.map(({ attempt, retryable }) => [attempt, retryable])).toEqual(before.map((_, n) => [n, true]));
      expect(before.length).toBe(post.attempt);
      expect(post.attempt).toBeLessThanOrEqual(MAX_RETRIES);
      const { collectBy } = collectionWindow(script.terms, post.cycle);
      expect(post.at).toBeLessThan(retryLimit(before[0]!.at, collectBy, script.policy));
    }
  });
});

it('any life counts a cycle as missed only if nothing was refused and sending was prevented during its whole window', () => {
  always((life) => {
    const { script, posts, refusals } = life;
    const hindrances = [...life.hindrances, ...life.pauses];
    for (const { cycle } of life.outcomes.filter(({ outcome }) => outcome === 'missed')) {
      expect(refusals.filter((refusal) => refusal.cycle === cycle)).toEqual([]);
      const { dueAt: due, collectBy } = collectionWindow(script.terms, cycle);
      const sendBefore = collectBy - script.policy.transit;
      const startAt = due + Math.min(script.spread, Math.max(0, Math.floor((sendBefore - due) / 2)));
      const inTime = posts.filter((post) => post.cycle === cycle);
      expect([cycle, isCovered(startAt, sendBefore, hindrances), inTime.every(({ debits }) => !debits)]).toEqual([
        cycle,
        true,
        true,
      ]);
    }
  });
});

it('any life skips every due date in a pause, and skips because of a pause only due dates that the pause stopped', () => {
  always((life) => {
    for (const { cycle, outcome, reason } of life.outcomes) {
      const { dueAt: due, collectBy } = collectionWindow(life.script.terms, cycle);
      const isDueInside = life.pauses.some(({ from, to }) => from < due && due < to);
      if (isDueInside) expect([cycle, outcome]).toEqual([cycle, 'skipped']);
      if (outcome === 'skipped' && reason === 'paused')
        expect(life.pauses.some(({ from, to }) => from < collectBy && due < to)).toBe(true);
    }
  });
});

it('any life acts on exhausted retries only if the last rejection of the cycle was retryable', () => {
  always(({ exhausted, refusals }) => {
    for (const cycle of exhausted) {
      expect(refusals.filter((refusal) => refusal.cycle === cycle).at(-1)?.retryable).toBe(true);
    }
  });
});

it('any life collects exactly the consent amount in each cycle', () => {
  always(({ script, posts }) => {
    expect(posts.filter(({ cents }) => cents !== script.terms.consentAmount.value)).toEqual([]);
  });
});

it('any life has left dunning when it ends', () => {
  always(({ state }) => expect(state.standing.dunning).toBe(false));
});
