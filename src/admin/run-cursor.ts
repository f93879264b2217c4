import { isNumberCursor } from '../ledger';

/** A place among the differences of one comparison. */
export interface RunPlace {
  readonly runId: string;
  readonly cursor: string;
}

const RUN_CURSOR = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]+)$/;

export function runCursor({ runId, cursor }: RunPlace): string {
  return `${runId}.${cursor}`;
}

export function isRunCursor(text: string): boolean {
  return readRunCursor(text) !== null;
}

/** Null where the text is no such cursor. */
export function readRunCursor(text: string): RunPlace | null {
  const [, runId, cursor] = RUN_CURSOR.exec(text) ?? [];
  return runId === undefined || cursor === undefined || !isNumberCursor(cursor) ? null : { runId, cursor };
}
