import { useMemo, useState } from 'preact/hooks';
import { drawRows, LEFT, type Row, rowsOf, WIDTH } from '../../../simulation/report/timeline-row';
import { drawLegend, HATCH, LEGEND_HEIGHT, RULES } from '../../../simulation/report/timeline-style';
import { now } from '../../format';
import { drawnLife, type Life } from './life';

const sheet = new CSSStyleSheet();
sheet.replaceSync(RULES);
document.adoptedStyleSheets.push(sheet);

const MINUTE = 60_000;

/** Past and coming cycles as `dueday simulate --svg` draws them. What it shows is said below it as a list, too. */
export function Timeline({ life }: { readonly life: Life }) {
  const [isWhole, setWhole] = useState(false);
  const at = Math.floor(now() / MINUTE) * MINUTE;
  const { svg, height, hidden } = useMemo(() => draw(life, at, isWhole), [life, at, isWhole]);
  return (
    <section aria-labelledby="timeline-heading">
      <h2 id="timeline-heading">Timeline</h2>
      <div class="timeline" tabIndex={0} role="region" aria-label="Timeline, wider than a narrow page">
        <svg
          class="dueday"
          role="img"
          aria-label="Due dates, collection windows, attempts and notices. The list of cycles says the same."
          viewBox={`0 0 ${WIDTH} ${height}`}
          dangerouslySetInnerHTML={{ __html: svg }}
        />
      </div>
      <p class="hint">
        Empty windows are still to come; the upright line is now.{' '}
        {hidden > 0 || isWhole ? (
          <button type="button" class="as-link" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show the last of it' : 'Show all of it'}
          </button>
        ) : null}
      </p>
    </section>
  );
}

/** Texts in it are escaped where they are drawn. */
function draw(life: Life, at: number, isWhole: boolean) {
  const drawn = drawnLife(life, at);
  const rows = rowsOf(drawn).filter(({ to }) => to > (drawn.cycles[0]?.dueAt ?? 0));
  const shown = isWhole ? rows : latest(rows, at);
  const { markup, height } = drawRows(shown, drawn, 0);
  return {
    svg: `<defs>${HATCH}</defs>${markup}${drawLegend(LEFT, height + 6)}`,
    height: height + LEGEND_HEIGHT,
    hidden: rows.length - shown.length,
  };
}

/** The row of the present, the one before it, and what comes. */
function latest(rows: readonly Row[], at: number): readonly Row[] {
  const present = rows.findIndex(({ to }) => to > at);
  const last = present === -1 ? rows.length - 1 : present;
  return rows.slice(Math.max(0, last - 1), last + 2);
}
