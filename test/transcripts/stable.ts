import { tmpdir } from 'node:os';
import { DAY, HOUR, type Instant, toIso } from '../../src/domain/time';

/** What differs from run to run is replaced by fixed values, so that the page changes only if the program does. */

/** The instants of business time to which the run of the transcripts is tied. */
export interface Anchors {
  readonly begin: Instant;
  /** When the first payments fall due. */
  readonly due: Instant;
}

/** The ms between a cause, which is on a full minute, and its effect. */
const AFTER = 4_120;
/** Paths in temporary folders. */
const FOLDER = new RegExp(`${tmpdir()}/[\\w./-]+`, 'g');
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Replaces what differs from run to run in the text of a whole run: a random id gets the same value everywhere. */
export function makeStable(text: string, anchors: Anchors): string {
  return IDS.reduce(numberIds, text)
    .replace(INSTANT, (instant) => stableInstant(instant, anchors))
    .replace(/\b\d+(\.\d+)? ms\b/g, '3 ms')
    .replace(/\b\d+ (?=entries verified)/g, '120 ')
    .replace(/; \d+ newer ones not chained yet/g, '')
    .replace(/\breplay: \d+ histories/g, 'replay: 24 histories')
    .replace(/"(ms|latencyMs|\w*[hH]oursLeft|offset)":( ?)-?\d+(\.\d+)?/g, '"$1":$21')
    .replace(/^\[\d\d:\d\d:\d\d\.\d{3}\]/gm, '[09:00:00.000]')
    .replaceAll(FOLDER, '/var/lib/dueday')
    .replace(/\bdueday-terminal-\w{6}-[\da-f]{8}\b/g, 'dueday-terminal')
    .replace(/(?<=\bpostgres:\/\/dueday:)[\w-]{32}(?=@)/g, '0'.repeat(32));
}

/** Random ids, which are numbered by kind as they occur; the replacements keep the length, so that columns stay aligned. */
const IDS: readonly RegExp[] = [
  /(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g,
  /(?<=\b(?:evt|whe|msg|sub|pay|cap|ref)_)[\da-f]{32}/g,
  /(?<=\batt_)[\da-f]{24}/g,
  /(?<=\bbulk_)[\w-]{43}/g,
  /(?<=\bdd_)[\w-]{43}/g,
  /(?<=\bwhsec_)[\w+/=]{32,44}/g,
  /(?<=\bdemo-)[\w-]{32}\b/g,
  /(?<=\bhead )[\da-f]{64}/g,
  // Build ids of releases.
  /(?<![\da-f-])[\da-f]{16}(?![\da-f-])/g,
  // Numbers of audit entries: in a list, as an argument, in an answer.
  /^\d+(?= +\S+Z +\w+ +[a-z_]+\.[a-z_]+\b)|(?<=\baudit redact )\d+|(?<=^ID +)\d+$/gm,
  /(?<=\b127\.0\.0\.1:)\d{4,5}/g,
  /(?<=\b(?:weekly|once-short|four-times-short|paused|payer-cancels|merchant-cancels|declined|lost-answer|swallowed|postponed|paid-by-link|announced|magazine|gym|insurance|tram|water)-)[\da-f]{6}\b/g,
];

function numberIds(text: string, pattern: RegExp): string {
  const known = new Map<string, string>();
  return text.replace(pattern, (id) => {
    const number = known.get(id) ?? String(known.size + 1);
    known.set(id, number);
    return id.replace(/[^-]/g, '0').slice(0, -number.length) + number;
  });
}

/** Keeps instants on a full minute, which were agreed on or follow from such; all others depend on the speed of the run. */
function stableInstant(text: string, { begin, due }: Anchors): string {
  if (text.endsWith(':00.000Z')) return text;
  const instant = Date.parse(text);
  const days = Math.floor((instant - begin) / DAY);
  // The times of keys, endpoints and deliveries are real time.
  if (Math.abs(instant - Date.now()) < DAY) return toIso(begin - HOUR);
  if (days !== 0) return toIso(begin + days * DAY + AFTER);
  return toIso((instant < due ? begin : due) + AFTER);
}
