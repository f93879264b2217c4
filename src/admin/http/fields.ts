import { z } from 'zod';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { METADATA_LIMITS } from '../../domain/metadata';
import { type Instant, LAST_INSTANT, toIso } from '../../domain/time';
import { creationCursor, type Page, type PageOf, toPage } from '../../ledger';
import { invalidRequest } from './problems';
import { fault } from './validation';

const FORM =
  /^(\d{4}-\d{2}-\d{2})(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-8])(?::?[0-5]\d)?)$/;

/** A day of the calendar. */
const Day = z.iso.date();

/** The last instant that the wire form can hold. */
export { LAST_INSTANT };

const EXPECTED = 'a time with date, time of day and offset, such as 2027-01-31T10:00:00Z, from 1970 to 9999';

/** A time as callers may write it: ISO 8601 with any offset. Becomes an {@link Instant}; digits past the ms are cut. */
export const InstantIn = z
  .string()
  .transform((text, context): Instant => {
    const instant = parseInstant(text);
    if (instant !== null) return instant;
    context.issues.push({ code: 'custom', message: EXPECTED, input: text });
    return z.NEVER;
  })
  .meta({ format: 'date-time', description: 'ISO 8601 with date, time of day and offset' });

/** Finds a span, its end exclusive, that ends before it has begun; an end that is left out is open. */
export function checkSpan<Name extends string>(
  query: Readonly<Partial<Record<Name, Instant | undefined>>>,
  [from, to]: readonly [Name, Name],
  context: z.core.$RefinementCtx,
): void {
  const [begin, end] = [query[from], query[to]];
  if (begin === undefined || end === undefined || end > begin) return;
  context.issues.push({ code: 'custom', input: end, path: [to], message: `a time after ${from}` });
}

const IsoText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time', description: 'YYYY-MM-DDThh:mm:ss.sssZ' });

/** An instant as it leaves: `YYYY-MM-DDThh:mm:ss.sssZ`. */
export const InstantOut = z.codec(IsoText, z.custom<Instant>(), {
  decode: (text) => Date.parse(text),
  encode: (instant) => toIso(instant),
});

/** A field that is left out where the record has null. */
export function leftOut<T extends z.ZodType>(field: T) {
  return z.codec(field.optional(), z.custom<z.output<T> | null>().optional(), {
    decode: (value) => value,
    encode: (value) => value ?? undefined,
  });
}

/** Null where the text is no time that exists: no offset, no time of day, 30 February, hour 24. */
export function parseInstant(text: string): Instant | null {
  const [, day, time, offset] = FORM.exec(text) ?? [];
  if (offset === undefined || !Day.safeParse(day).success) return null;
  const instant = Date.parse(`${day}${time}${writtenInFull(offset)}`);
  return instant >= 0 && instant <= LAST_INSTANT ? instant : null;
}

/** ISO 8601 has `+0200` and `+02`, too; the language reads `+02:00` alone. */
function writtenInFull(offset: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return hours === undefined ? offset : `${hours}:${minutes}`;
}

/** 1,000,000.00 EUR: far above any subscription, far below what the ledger's integers hold. */
export const MAX_AMOUNT = 100_000_000;

/** Money as it leaves; it may be 0. */
export const MoneyOut = z.object({ value: z.int().min(0), currency: z.literal('EUR') }).meta({
  id: 'Money',
  description: `An amount in minor units: 1999 is 19.99 EUR. In a request it is from 1 to ${MAX_AMOUNT}.`,
});

/** Money as callers send it: whole cents, at least one. Clients have one type for both. */
export const MoneyIn = z
  .strictObject({ value: z.int().min(1).max(MAX_AMOUNT), currency: z.literal('EUR') })
  .meta({ describedAs: MoneyOut });

/** Patterns are published, and few programs that read them know `\p{Cc}`. Parts of a class. */
const CONTROL_BEFORE_TAB = String.raw`\u0000-\u0008`;
const CONTROL_BEYOND = String.raw`\u000b\u000c\u000e-\u001f\u007f-\u009f`;

const CONTROL_BUT_LINES = `${CONTROL_BEFORE_TAB}${CONTROL_BEYOND}`;
const CONTROL = `${CONTROL_BEFORE_TAB}\\t\\n\\r${CONTROL_BEYOND}`;

const WITHOUT_CONTROL = new RegExp(`^[^${CONTROL}]*$`);
const LINES_WITHOUT_CONTROL = new RegExp(`^[^${CONTROL_BUT_LINES}]*$`);

/** The same with something in it besides spaces, as one pattern for programs that take no more. */
function notBlank(control: string): RegExp {
  return new RegExp(`^[^\\S${control}]*[^\\s${control}][^${control}]*$`);
}

/** One line of text: something in it besides spaces, and no control characters, which could forge mail headers. */
export function line(max: number) {
  return textOf(max, WITHOUT_CONTROL, notBlank(CONTROL));
}

function textOf(max: number, form: RegExp, whole: RegExp) {
  const error = ({ input }: { readonly input?: unknown }) =>
    form.test(String(input)) ? 'text that is not blank' : 'text without control characters';
  return z.string().min(1).max(max).regex(whole, { error });
}

/** As {@link line}, but it may be empty. */
export function lineOrNothing(max: number) {
  return z.string().max(max).regex(WITHOUT_CONTROL, 'text without control characters');
}

/**
 * A body that may be left out altogether: its fields then have their defaults, as where each is left out. Fastify hands
 * null to its schema then.
 */
export function optionalBody<Body extends z.ZodObject>(body: Body) {
  return z.preprocess((given) => given ?? {}, body);
}

/** A person's words for the trail; may run over several lines. */
export const Reason = textOf(500, LINES_WITHOUT_CONTROL, notBlank(CONTROL_BUT_LINES));

const { pairs, key, value } = METADATA_LIMITS;

/** The merchant's own pairs. Not for personal data: they stay when a payer is erased. */
export const MetadataIn = z
  .record(line(key), lineOrNothing(value))
  .refine((given) => Object.keys(given).length <= pairs, `an object of at most ${pairs} pairs`)
  .meta({
    id: 'Metadata',
    maxProperties: pairs,
    description: `At most ${pairs} pairs, keys of at most ${key} and values of at most ${value} characters; no personal data.`,
  });

export const MetadataOut = z.record(z.string(), z.string()).meta({ describedAs: MetadataIn });

export const Email = z.email('an e-mail address such as payer@example.com').max(254);

/** What passes as such a text is such an id. */
function branded<Id extends string>(text: z.ZodType): z.ZodType<Id, string> {
  return text as z.ZodType<Id, string>;
}

export const SubscriptionIdText = branded<SubscriptionId>(
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
      '1 to 64 letters, digits, underscores or hyphens, a letter or digit first',
    ),
);

/** As the payment service's ids are: visible ASCII, and no dot segment of a path. */
export const PaymentIdText = branded<PaymentId>(
  z.string().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/, '1 to 200 visible ASCII characters'),
);

/** ISO 3166-1 alpha-2, officially assigned codes, and XK, which banks use for Kosovo. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
  ).split(' '),
);

/** A postal address. All its fields are needed, the e-mail aside. */
export const AddressIn = z
  .strictObject({
    name: line(120),
    street: line(120),
    postalCode: line(16),
    city: line(120),
    country: z.string().refine((code) => COUNTRIES.has(code), 'an ISO 3166 country code of two upper-case letters'),
    email: Email.optional(),
  })
  .meta({ id: 'Address', description: 'A postal address.' });

/**
 * A whole number of a path or a query, as digits alone. A coercion takes more: '' and ' ' would be 0, and '1e0', '0x1' and
 * '+1' would be 1.
 */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(digitsOf(min, max), z.int().min(min).max(max));
}

/** The same, of a query that may leave it out. The description of the API reads the default off the number itself. */
export function wholeNumberOr(absent: number, min: number, max: number) {
  const number = z.int().min(min).max(max).meta({ default: absent });
  return z.preprocess(digitsOf(min, max), number).default(absent);
}

function digitsOf(min: number, max: number) {
  const form = new RegExp(`^\\d{1,${String(max).length}}$`);
  return (text: unknown, context: z.core.$RefinementCtx): number => {
    if (typeof text === 'string' && form.test(text)) return Number(text);
    context.issues.push({ code: 'custom', message: `a whole number from ${min} to ${max}`, input: text });
    return z.NEVER;
  };
}

/** `limit` and `cursor` of every list. The cursor is opaque: only one that a list gave is taken. */
export const PAGE_FIELDS = {
  limit: wholeNumberOr(50, 1, 200),
  cursor: z.string().min(1).max(512).optional(),
};

export const PageQuery = z.strictObject(PAGE_FIELDS);

/** Of each item of a list, its page. */
const PAGES = new Map<z.ZodType, z.ZodType>();

/** `{items, nextCursor}`; null at the end of the list. Named for its items: `CyclePage`. */
export function listOf<T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; nextCursor: z.ZodNullable<z.ZodString> }> {
  const known = PAGES.get(item);
  if (known !== undefined) return known as ReturnType<typeof listOf<T>>;
  const id = item.meta()?.id;
  const page = z.object({ items: z.array(item), nextCursor: z.string().nullable() }).meta({
    ...(id === undefined ? {} : { id: `${id}Page` }),
    description: 'A page of the list. Its `nextCursor` leads to the next page, and is null on the last one.',
  });
  PAGES.set(item, page);
  return page;
}

/** A field that is left out where it has nothing to say. */
export function named<K extends string, V>(name: K, value: V | null): Partial<Record<K, V>> {
  return value === null ? {} : ({ [name]: value } as Record<K, V>);
}

/** As {@link PAGE_FIELDS} are read. */
export interface PageAsked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** @throws Problem `invalid_request` where the cursor is none of this list's. */
export function pageOf(query: PageAsked, isCursor: (text: string) => boolean): Page {
  const cursor = query.cursor ?? null;
  if (cursor !== null && !isCursor(cursor)) {
    throw invalidRequest([fault('cursor', 'the nextCursor of a page of this list', cursor)]);
  }
  return { limit: query.limit, cursor };
}

/** By what a list of few is ordered. */
interface ListPlace {
  readonly createdAt: Instant;
  readonly id: string;
}

/**
 * Of a list that is few and was read whole, in the order of its places. A page begins behind a place, whether or not its item
 * is still there. @throws Problem as {@link pageOf}
 */
export function cutPage<T>(all: readonly T[], query: PageAsked, placeOf: (item: T) => ListPlace): PageOf<T> {
  const { limit, cursor } = pageOf(query, creationCursor.is);
  const place = creationCursor.read(cursor);
  const rest = place === null ? all : all.filter((each) => isBehind(placeOf(each), place));
  return toPage(rest, limit, (each) => {
    const { createdAt, id } = placeOf(each);
    return [createdAt, id];
  });
}

function isBehind(one: ListPlace, other: ListPlace): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

interface Said {
  readonly reason?: string | undefined;
}

/**
 * The reason of a call by DELETE, which may be said in the query or in the body: not every client sends a body with it.
 * @throws Problem where both are given and differ
 */
export function reasonOf({ query, body }: { readonly query: Said; readonly body?: Said | null }): string | undefined {
  const [first, second] = [query.reason, body?.reason];
  if (first !== undefined && second !== undefined && first !== second)
    throw invalidRequest([{ path: 'reason', message: 'expected the same in query and body; got two different ones' }]);
  return first ?? second;
}
