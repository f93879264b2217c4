import { Problem } from '../http/problems';

/**
 * The type that the caller prefers, by the header `Accept` (RFC 9110, 12.5.1). If several are equally preferred, or there is no
 * header, the first one.
 * @throws Problem `not_acceptable` if none is accepted
 */
export function preferredType<T extends string>(accept: string | undefined, types: readonly [T, ...T[]]): T {
  if (accept === undefined || accept.trim() === '') return types[0];
  const ranges = accept.split(',').map(readRange);
  const best = types.reduce((one, other) => (qualityOf(other, ranges) > qualityOf(one, ranges) ? other : one));
  if (qualityOf(best, ranges) > 0) return best;
  throw new Problem(
    'not_acceptable',
    `This path can return ${types.join(' or ')}; the Accept header allows none of them.`,
  );
}

interface Range {
  readonly name: string;
  /** 0 to 1. */
  readonly quality: number;
}

function readRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((each) => each.startsWith('q='))?.slice('q='.length);
  return { name, quality: quality === undefined ? 1 : clamp(Number(quality)) };
}

/** The most specific matching range counts, not the one with the highest quality. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [family = ''] = type.split('/');
  for (const name of [type, `${family}/*`, '*/*']) {
    const range = ranges.find((each) => each.name === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

function clamp(quality: number): number {
  return Number.isNaN(quality) ? 0 : Math.min(1, Math.max(0, quality));
}
