/** Parsers for the text of variables. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { MAX_RETRIES } from '../domain/subscription/retries';
import { REPETITIONS } from '../domain/subscription/schedule';
import { isInstant } from '../domain/time';

export const text = z.string().min(1).max(4096);
export const url = z.url({ protocol: /^https?$/ });
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const pem = z.string().startsWith('-----BEGIN');

/** Only digits: JavaScript also reads blanks, `0x10` and `1e3` as numbers. */
const digits = (form: RegExp) => z.string().regex(form).transform(Number);
export const wholeNumber = (min: number, max: number) => digits(/^\d+$/).pipe(z.number().min(min).max(max));
export const decimal = (min: number, max: number) => digits(/^\d+(\.\d+)?$/).pipe(z.number().min(min).max(max));
export const port = wholeNumber(0, 65535);

export const connection = (scheme: RegExp) =>
  z
    .string()
    .regex(scheme)
    .refine((value) => URL.canParse(value));

export const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[^\s:/]+):\d{1,5}$/i)
  .refine((value) => {
    const number = Number(value.slice(value.lastIndexOf(':') + 1));
    return number >= 1 && number <= 65535;
  });

const numbers = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/)
  .transform((value) => value.split(',').map(Number));

export const retryOffsets = numbers
  .refine((hours) => hours.length <= MAX_RETRIES)
  .refine((hours) => hours.every((each, index) => each > 0 && each <= 72 && each > (hours[index - 1] ?? 0)));

export const MAX_WAITS = 30;
/** A week, in seconds. */
export const MAX_WAIT = 604_800;

/** Seconds between tries. */
export const waits = (shortest: number) =>
  numbers
    .refine((seconds) => seconds.length <= MAX_WAITS)
    .refine((seconds) => seconds.every((each) => each >= shortest && each <= MAX_WAIT));

/** `YEARLY:30,MONTHLY:3`: days by repetition, each at most once. */
export const daysByRepetition = z
  .string()
  .regex(/^[A-Z_]+:\d+(,[A-Z_]+:\d+)*$/)
  .transform((value) => value.split(',').map((each) => each.split(':')))
  .pipe(z.array(z.tuple([z.enum(REPETITIONS), wholeNumber(0, 365)])))
  .refine((pairs) => new Set(pairs.map(([repetition]) => repetition)).size === pairs.length);

const list = z.string().transform((value) => value.split(',').map((each) => each.trim()));

/** Origins of web pages as browsers write them: scheme, host and port. */
export const origins = list.refine((all) => all.every((each) => URL.canParse(each) && new URL(each).origin === each));

/** Addresses, and networks with a prefix. */
export const networkList = list.refine((all) => all.every(isNetwork));

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** AES-256 keys with ids; encrypted data names its key by the id. */
export const keyRing = z
  .string()
  .regex(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/)
  .transform((value) =>
    value.split(',').map((pair) => ({ id: pair.split(':')[0] ?? '', key: pair.split(':')[1] ?? '' })),
  )
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length);

export const testClock = z
  .string()
  .regex(/^[^@]+@[^@]+x\d+(\.\d+)?$/)
  .transform((value, context) => {
    const [virtual = '', rest = ''] = value.split('@');
    const cut = rest.lastIndexOf('x');
    const setting = {
      virtualStart: parseIso(virtual),
      realStart: parseIso(rest.slice(0, cut)),
      speed: Number(rest.slice(cut + 1)),
    };
    const readable = Object.values(setting).every(Number.isFinite) && setting.speed > 0;
    if (!readable) context.addIssue({ code: 'custom', message: 'unreadable' });
    return setting;
  });

const ISO = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Epoch ms; NaN without an offset, which would mean the machine's local time, and for impossible dates such as 31 February. */
function parseIso(value: string): number {
  const day = ISO.exec(value)?.[1];
  const midnight = Date.parse(`${day ?? ''}T00:00:00Z`);
  const exists = Number.isFinite(midnight) && new Date(midnight).toISOString().slice(0, 10) === day;
  const instant = exists ? Date.parse(value) : NaN;
  return isInstant(instant) ? instant : NaN;
}
