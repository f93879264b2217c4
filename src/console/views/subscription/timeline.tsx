import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawRows, LEFT, type Row, rowsOf, WIDTH } from '../../../simulation/report/timeline-row';
import { drawLegend, HATCH, LEGEND_HEIGHT, RULES } from '../../../simulation/report/timeline-style';
import { money, now } from '../../format';
import { drawnLife, type Life } from './life';

const sheet = new CSSStyleSheet();
sheet.replaceSync(RULES);
document.adoptedStyleSheets.push(sheet);

const MINUTE = 60_000;

/** Past and coming cycles, drawn as by `dueday simulate --svg`. The list of cycles has the same data. */
export function Timeline({ life }: { readonly life: Life }) {
  const [isWhole, setWhole] = useState(false);
  const at = Math.floor(now() / MINUTE) * MINUTE;
  const { svg, height, hidden } = useMemo(() => draw(life, at, isWhole), [life, at, isWhole]);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => showNow(box.current), [isWhole]);
  return (
    <section aria-labelledby="timeline-heading">
      <h2 id="timeline-heading">Timeline</h2>
      <div ref={box} class="timeline" tabIndex={0} role="region" aria-label="Timeline, scrollable">
        <svg
          class="dueday"
          role="img"
          aria-label="Due dates, collection windows, attempts and notices. The list of cycles has the same data."
          viewBox={`0 0 ${WIDTH} ${height}`}
          dangerouslySetInnerHTML={{ __html: svg }}
        />
      </div>
      <p class="hint">
        Empty windows are in the future; the vertical line is now.{' '}
        {hidden > 0 || isWhole ? (
          <button type="button" class="as-link" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show all'}
          </button>
        ) : null}
      </p>
    </section>
  );
}

/** If the drawing is wider than the page, scrolls to the present, or to the end of a life that has ended. */
function showNow(box: HTMLDivElement | null): void {
  if (box === null) return;
  const line = box.querySelector('.now')?.getBoundingClientRect();
  if (line === undefined) box.scrollLeft = box.scrollWidth;
  else box.scrollLeft += line.left - box.getBoundingClientRect().left - box.clientWidth / 2;
}

/** The drawing functions escape all texts. */
function draw(life: Life, at: number, isWhole: boolean) {
  const drawn = drawnLife(life, at);
  const rows = rowsOf(drawn).filter(({ to }) => to > (drawn.cycles[0]?.dueAt ?? 0));
  const shown = isWhole ? rows : latest(rows, at);
  const { markup, height } = drawRows(shown, drawn, 0, money);
  return {
    svg: `<defs>${HATCH}</defs>${markup}${drawLegend(LEFT, height + 6)}`,
    height: height + LEGEND_HEIGHT,
    hidden: rows.length - shown.length,
  };
}

/** The current row, the one before and the one after. */
function latest(rows: readonly Row[], at: number): readonly Row[] {
  const present = rows.findIndex(({ to }) => to > at);
  const last = present === -1 ? rows.length - 1 : present;
  return rows.slice(Math.max(0, last - 1), last + 2);
}
