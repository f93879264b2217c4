import { createHmac } from 'node:crypto';
import { createClock } from '../../platform/clock';
import { createAddressCheck, createWebhookSender } from '../../webhooks';
import { BadInputError } from '../../process/command-error';
import { print, printObjects } from '../output';
import { type Access, accessOf } from './call';
import { eventsOf } from './event-stream';

export interface TailArguments {
  /** Names or patterns such as `cycle.*`, separated by commas. */
  readonly types?: string;
}

export interface ListenArguments extends TailArguments {
  readonly forwardTo?: string;
  readonly json?: boolean;
}

/**
 * Prints each event as it happens, one JSON object per line, and reconnects if the connection breaks.
 * @throws CommandError as {@link eventsOf} does
 */
export async function tailEvents({ types }: TailArguments): Promise<void> {
  for await (const event of eventsOf(accessOf(process.env), types)) print(event);
}

/**
 * Posts each event to a program, usually on this machine, as an endpoint would get it, one at a time, and prints the result. Failed
 * deliveries are not retried.
 * @throws CommandError as {@link eventsOf} does
 */
export async function forwardEvents({ forwardTo, types, json = false }: ListenArguments): Promise<void> {
  const url = readUrl(forwardTo);
  const access = accessOf(process.env);
  const secret = secretOf(access);
  const sender = createWebhookSender(createAddressCheck(['0.0.0.0/0', '::/0'], true), createClock(null));
  process.stderr.write(`posting events to ${url}, signed with ${secret}\n`);
  try {
    for await (const body of eventsOf(access, types)) {
      const { id, type } = JSON.parse(body) as { readonly id: string; readonly type: string };
      const { status, error, ms } = await sender.post({ url, secrets: [secret], id, body });
      if (json) printObjects([{ id, type, status, error, ms: Math.round(ms) }]);
      else print(`${status ?? error ?? 'no answer'} ${type} ${id} ${Math.round(ms)} ms`);
    }
  } finally {
    await sender.close();
  }
}

function readUrl(text: string | undefined): string {
  if (text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new BadInputError([`--forward-to: expected an http or https URL; got ${text ?? ''}`]);
}

/** The signing secret. It depends only on the key, so that the verifying program is configured only once. */
function secretOf({ key }: Access): string {
  return `whsec_${createHmac('sha256', key).update('dueday events listen').digest('base64')}`;
}
