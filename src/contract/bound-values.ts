import type { Sinks } from '@temporalio/workflow';

/**
 * If encryption keys are configured, every argument and result that Temporal stores is bound to its purpose: the
 * activity, workflow or signal it belongs to, and whether it is an argument or a result. Interceptors exchange
 * {@link BoundValue}s with the payload codec, which encrypts the value and authenticates the purpose. Without keys,
 * values are passed unchanged.
 */
export interface BoundValue {
  readonly boundTo: string;
  readonly value?: unknown;
}

/** The purpose of an unencrypted payload that is still accepted while an installation introduces encryption. */
export const ANY_PURPOSE = 'anything';

type Receiver = 'activity' | 'workflow' | 'signal' | 'query';

export function argumentOf(receiver: Receiver, name: string): string {
  return `argument of ${receiver} ${name}`;
}

export function resultOf(performer: 'activity' | 'workflow', name: string): string {
  return `result of ${performer} ${name}`;
}

export function bind(boundTo: string, value: unknown): BoundValue {
  return { boundTo, value };
}

/** At least one value, so that a call without arguments is also bound. */
export function bindAll(purpose: string, args: readonly unknown[]): BoundValue[] {
  return (args.length === 0 ? [undefined] : args).map((value) => bind(purpose, value));
}

export function isBound(value: unknown): value is BoundValue {
  return hasText(value, 'boundTo') && Object.keys(value).every((name) => name === 'boundTo' || name === 'value');
}

/** Returned by the codec for a payload that it could not read: it is forged, or its key is missing. */
export interface Unreadable {
  readonly unreadable: string;
}

/** @param why for operators */
export function unreadable(why: string): Unreadable {
  return { unreadable: why };
}

function isUnreadable(value: unknown): value is Unreadable {
  return hasText(value, 'unreadable') && Object.keys(value).length === 1;
}

function hasText<Name extends string>(value: unknown, name: Name): value is Readonly<Record<Name, string>> {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'string';
}

export type Opened =
  | { readonly kind: 'opened'; readonly values: unknown[] }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * The received values, if all are bound to this purpose.
 * @param isSealed whether unbound values, and calls without any value, are refused
 */
export function openValues(purpose: string, arrived: readonly unknown[], isSealed: boolean): Opened {
  if (isSealed && arrived.length === 0) return { kind: 'refused', why: 'it has no payload' };
  for (const value of arrived) {
    const why = whyRefused(purpose, value, isSealed);
    if (why !== null) return { kind: 'refused', why };
  }
  return { kind: 'opened', values: arrived.map((value) => (isBound(value) ? value.value : value)) };
}

function whyRefused(purpose: string, value: unknown, isSealed: boolean): string | null {
  if (isUnreadable(value)) return value.unreadable;
  const boundTo = isBound(value) ? value.boundTo : isSealed ? '' : ANY_PURPOSE;
  if (boundTo === purpose || boundTo === ANY_PURPOSE) return null;
  return `a payload is bound to ${boundTo === '' ? 'nothing' : `the ${boundTo}`}; expected the ${purpose}`;
}

/** The receiver of a message whose payload could not be read or is bound to something else. */
export type RefusedKind = Receiver;

/** The failure type with which a workflow ends immediately, before doing anything. */
export const REFUSED_START = 'refused_start';

/** How workflows report the messages that they refuse to their worker, which counts and logs them. */
export interface RefusalSinks extends Sinks {
  refusals: {
    report(kind: RefusedKind, name: string, why: string): void;
  };
}
