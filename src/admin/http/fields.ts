import { z } from 'zod';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { METADATA_LIMITS } from '../../domain/metadata';
import { type Instant, LAST_INSTANT, toIso } from '../../domain/time';
import { creationCursor, type Page, type PageOf, toPage } from '../../ledger';
import { parseEmail } from '../../platform/email-address';
import { invalidRequest } from './problems';
import { fault, PLAIN } from './validation';

const FORM =
  /^(\d{4}-\d{2}-\d{2})(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-8])(?::?[0-5]\d)?)$/;

/** A calendar day. */
const Day = z.iso.date();

/** The last instant that the API can represent. */
export { LAST_INSTANT };

const EXPECTED = 'a time with date, time of day and offset, such as 2027-01-31T10:00:00Z, from 1970 to 9999';

/** A time in a request: ISO 8601 with any offset. Parsed to an {@link Instant}; digits past milliseconds are cut off. */
export const InstantIn = z
  .string(EXPECTED)
  .transform((text, context): Instant => {
    const instant = parseInstant(text);
    if (instant !== null) return instant;
    context.issues.push({ code: 'custom', message: EXPECTED, input: text, params: PLAIN });
    return z.NEVER;
  })
  .meta({ format: 'date-time', description: 'ISO 8601 with date, time of day and UTC offset' });

/** Reports a period whose end, which is exclusive, is not after its start. A missing start or end is unlimited. */
export function checkPeriod<Name extends string>(
  query: Readonly<Partial<Record<Name, Instant | undefined>>>,
  [from, to]: readonly [Name, Name],
  context: z.core.$RefinementCtx,
): void {
  const [start, end] = [query[from], query[to]];
  if (start === undefined || end === undefined || end > start) return;
  context.issues.push({ code: 'custom', input: end, path: [to], message: `a time after ${from}`, params: PLAIN });
}

const IsoText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time', description: 'YYYY-MM-DDThh:mm:ss.sssZ' });

/** An instant in a response: `YYYY-MM-DDThh:mm:ss.sssZ`. */
export const InstantOut = z.codec(IsoText, z.custom<Instant>(), {
  decode: (text) => Date.parse(text),
  encode: (instant) => toIso(instant),
});

/** A field that is omitted from the response if the record has null. */
export function omitNull<T extends z.ZodType>(field: T) {
  return z.codec(field.optional(), z.custom<z.output<T> | null>().optional(), {
    decode: (value) => value,
    encode: (value) => value ?? undefined,
  });
}

/** Null if the text is not a valid time: no offset, no time of day, 30 February, hour 24. */
export function parseInstant(text: string): Instant | null {
  const [, day, time, offset] = FORM.exec(text) ?? [];
  if (offset === undefined || !Day.safeParse(day).success) return null;
  const instant = Date.parse(`${day}${time}${writtenInFull(offset)}`);
  return instant >= 0 && instant <= LAST_INSTANT ? instant : null;
}

/** ISO 8601 also allows `+0200` and `+02`; JavaScript parses only `+02:00`. */
function writtenInFull(offset: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return hours === undefined ? offset : `${hours}:${minutes}`;
}

/** 1,000,000.00 EUR: far above any subscription, far below the range of the ledger's integers. */
export const MAX_AMOUNT = 100_000_000;

/** Money in a response; it may be 0. */
export const MoneyOut = z.object({ value: z.int().min(0), currency: z.literal('EUR') }).meta({
  id: 'Money',
  description: `An amount in minor units: 1999 is 19.99 EUR. In requests from 1 to ${MAX_AMOUNT}.`,
});

/** Money in a request: whole cents, at least one. Clients have one type for money in requests and responses. */
export const MoneyIn = z
  .strictObject({ value: z.int().min(1).max(MAX_AMOUNT), currency: z.literal('EUR') })
  .meta({ describedAs: MoneyOut });

/** Parts of a character class. Patterns are published, and few clients support `\p{Cc}`. */
const CONTROL_BEFORE_TAB = String.raw`\u0000-\u0008`;
const CONTROL_BEYOND = String.raw`\u000b\u000c\u000e-\u001f\u007f-\u009f`;

const CONTROL_BUT_LINES = `${CONTROL_BEFORE_TAB}${CONTROL_BEYOND}`;
const CONTROL = `${CONTROL_BEFORE_TAB}\\t\\n\\r${CONTROL_BEYOND}`;

const WITHOUT_CONTROL = new RegExp(`^[^${CONTROL}]*$`);
const LINES_WITHOUT_CONTROL = new RegExp(`^[^${CONTROL_BUT_LINES}]*$`);

/** One pattern for text that has no control characters and is not blank, for clients that support only one pattern per field. */
function notBlank(control: string): RegExp {
  return new RegExp(`^[^\\S${control}]*[^\\s${control}][^${control}]*$`);
}

/** One line of text that is not blank and has no control characters, which could forge mail headers. */
export function line(max: number) {
  return textOf(max, WITHOUT_CONTROL, notBlank(CONTROL));
}

function textOf(max: number, form: RegExp, whole: RegExp) {
  const error = ({ input }: { readonly input?: unknown }) =>
    form.test(String(input)) ? 'text that is not blank' : 'text without control characters';
  return z.string().min(1).max(max).regex(whole, { error });
}

/** Like {@link line}, but may be empty or blank. */
export function lineOrNothing(max: number) {
  return z.string().max(max).regex(WITHOUT_CONTROL, 'text without control characters');
}

/** The caller's reason for the audit log; may have several lines. */
export const Reason = textOf(500, LINES_WITHOUT_CONTROL, notBlank(CONTROL_BUT_LINES));

const { pairs, key, value } = METADATA_LIMITS;

/**
 * The merchant's own key-value pairs. Not for personal data: when a payer is erased, pairs that do not name the payer
 * remain.
 */
export const MetadataIn = z
  .record(line(key), lineOrNothing(value))
  .refine((given) => Object.keys(given).length <= pairs, `an object of at most ${pairs} pairs`)
  .meta({
    id: 'Metadata',
    maxProperties: pairs,
    description: `At most ${pairs} pairs, with keys of at most ${key} and values of at most ${value} characters. Do not store personal data here.`,
  });

export const MetadataOut = z.record(z.string(), z.string()).meta({ describedAs: MetadataIn });

/** An e-mail address, which may be internationalised (RFC 6531); normalized as {@link parseEmail} does. */
export const Email = z
  .string()
  .max(254)
  .transform((text, context): string => {
    const parsed = parseEmail(text);
    if (parsed.kind === 'valid') return parsed.address;
    context.issues.push({ code: 'custom', message: parsed.expected, input: text });
    return z.NEVER;
  })
  .meta({ format: 'idn-email', description: 'An e-mail address; letters of every script are allowed' });

/** Brands texts that match the schema as ids. */
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

/** Ids of the payment service: visible ASCII, and not a dot segment of a path. */
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

/** A postal address. All fields except the e-mail are required. */
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
 * A whole number in a path or a query, digits only. Coercion would accept more: '' and ' ' as 0, and '1e0', '0x1' and
 * '+1' as 1.
 */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(digitsOf(min, max), z.int().min(min).max(max));
}

/** A whole number in an optional query parameter. The API description takes the default from the schema of the number. */
export function wholeNumberOr(absent: number, min: number, max: number) {
  const number = z.int().min(min).max(max).meta({ default: absent });
  return z.preprocess(digitsOf(min, max), number).default(absent);
}

function digitsOf(min: number, max: number) {
  const form = new RegExp(`^\\d{1,${String(max).length}}$`);
  return (text: unknown, context: z.core.$RefinementCtx): number => {
    if (typeof text === 'string' && form.test(text)) return Number(text);
    const message = `a whole number from ${min} to ${max}`;
    context.issues.push({ code: 'custom', message, input: text, params: PLAIN });
    return z.NEVER;
  };
}

/** `limit` and `cursor` of every list. The cursor is opaque: only one returned by the list is accepted. */
export const PAGE_FIELDS = {
  limit: wholeNumberOr(50, 1, 200),
  cursor: z.string().min(1).max(512).optional(),
};

export const PageQuery = z.strictObject(PAGE_FIELDS);

/** The page schema for each item schema. */
const PAGES = new Map<z.ZodType, z.ZodType>();

/** `{items, nextCursor}`; the cursor is null at the end of the list. Named after its items: `CyclePage`. */
export function listOf<T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; nextCursor: z.ZodNullable<z.ZodString> }> {
  const known = PAGES.get(item);
  if (known !== undefined) return known as ReturnType<typeof listOf<T>>;
  const id = item.meta()?.id;
  const page = z.object({ items: z.array(item), nextCursor: z.string().nullable() }).meta({
    ...(id === undefined ? {} : { id: `${id}Page` }),
    description: 'A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page.',
  });
  PAGES.set(item, page);
  return page;
}

/** The field under its name, or no field if the value is null. */
export function optionalField<K extends string, V>(name: K, value: V | null): Partial<Record<K, V>> {
  return value === null ? {} : ({ [name]: value } as Record<K, V>);
}

/** {@link PAGE_FIELDS} once parsed. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** @throws Problem `invalid_request` if the cursor is not one of this list */
export function pageOf(query: PageRequest, isCursor: (text: string) => boolean): Page {
  const cursor = query.cursor ?? null;
  if (cursor !== null && !isCursor(cursor)) {
    throw invalidRequest([fault('cursor', 'the nextCursor of a page of this list', cursor)]);
  }
  return { limit: query.limit, cursor };
}

/** The sort key of a short list. */
interface ListPosition {
  readonly createdAt: Instant;
  readonly id: string;
}

/**
 * A page of a short list that was read completely and is sorted by position. A page starts after the cursor's position,
 * whether or not that item still exists. @throws Problem as {@link pageOf}
 */
export function cutPage<T>(all: readonly T[], query: PageRequest, positionOf: (item: T) => ListPosition): PageOf<T> {
  const { limit, cursor } = pageOf(query, creationCursor.is);
  const position = creationCursor.read(cursor);
  const rest = position === null ? all : all.filter((each) => isAfter(positionOf(each), position));
  return toPage(rest, limit, (each) => {
    const { createdAt, id } = positionOf(each);
    return [createdAt, id];
  });
}

function isAfter(one: ListPosition, other: ListPosition): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}
