import {
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { INVALID_REQUEST, RETRY_NOT_ALLOWED, STATE_CONFLICT } from '../contract/messages';
import type { SteerOutcome } from './subscription-gateway';

/** gRPC codes by which a server, a proxy or a deadline says "not now": see https://grpc.io/docs/guides/status-codes/. */
const NOT_NOW: ReadonlySet<number> = new Set([1, 4, 8, 14]);

/** Null where the error is no answer that a caller could act on. */
export function readSteerError(error: unknown): SteerOutcome | null {
  if (error instanceof WorkflowNotFoundError) return { kind: 'finished' };
  if (isNotReady(error)) return { kind: 'not_ready' };
  return readRefusal(error);
}

/** The workflow's own refusal: a validator's or a handler's ApplicationFailure with one of the agreed types. */
function readRefusal(error: unknown): SteerOutcome | null {
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) return null;
  const { type, message } = error.cause;
  if (type === STATE_CONFLICT) return { kind: 'conflict', message };
  if (type === INVALID_REQUEST) return { kind: 'invalid', message };
  if (type === RETRY_NOT_ALLOWED) return { kind: 'limited', message };
  // The workflow ended while the update was on its way to it.
  return type === 'AcceptedUpdateCompletedWorkflow' ? { kind: 'finished' } : null;
}

/** No worker answered before the deadline, or Temporal cannot be reached. */
export function isNotReady(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && NOT_NOW.has(cause.code);
}

export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError;
}
