/** How a subscription stands, worst first (decisions 25). */
export const STANDINGS = ['needs_attention', 'dunning', 'past_due', 'good'] as const;

export type Standing = (typeof STANDINGS)[number];

/** What the standing is made of. The parts change one by one; the standing follows. */
export interface StandingParts {
  /** Matters that wait for a person, each by a key such as `pending_past_window:3`. */
  readonly attention: readonly string[];
  /** A cycle waits for its retry. */
  readonly dunning: boolean;
  /** The last due cycle was not collected; a skipped one says nothing. */
  readonly pastDue: boolean;
}

/** needs_attention > dunning > past_due > good (decisions 25). */
export function standingOf(parts: StandingParts): Standing {
  if (parts.attention.length > 0) return 'needs_attention';
  if (parts.dunning) return 'dunning';
  return parts.pastDue ? 'past_due' : 'good';
}
