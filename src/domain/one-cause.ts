/** Below so many live subscriptions a share of them says nothing: then more than half count. */
const FEW = 40;

/** Whether so many subscriptions of the live ones have one cause, and are one matter for an operator (rule 44). */
export function haveOneCause(affected: number, live: number): boolean {
  if (live < FEW) return affected >= 5 && affected * 2 > live;
  return affected > 20 && affected * 100 > live;
}
