/** Temporal's library says its errors only: workers report every start and stop otherwise. */
export function quietRuntime(): void;
