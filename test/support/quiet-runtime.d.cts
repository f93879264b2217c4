/** Makes Temporal's library log only errors: otherwise workers log every start and stop. */
export function quietRuntime(): void;
