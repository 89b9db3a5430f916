import { type BarChart, barChart } from './bar-chart.ts';
import { type HeatMap, heatMap } from './heat-map.ts';
import { type LineChart, lineChart } from './line-chart.ts';
import { type RadarChart, radarChart } from './radar-chart.ts';

/** A chart as data. */
export type Chart = BarChart | HeatMap | RadarChart | LineChart;

/** Maximum number of marks on a page; the rest is omitted, but still in the caller's table. */
const mostMarks = 60;

/**
 * The chart as SVG text of this width, its height as it needs. Pure: a page, a PDF and a terminal that shows files can
 * have the same. Of bars, rows, columns and series the first sixty are drawn.
 */
export function chartSvg(chart: Chart, width: number): string {
  switch (chart.kind) {
    case 'bars':
      return barChart({ ...chart, bars: chart.bars.slice(0, mostMarks) }, width);
    case 'heat_map':
      return heatMap(
        { ...chart, rows: chart.rows.slice(0, mostMarks), columns: chart.columns.slice(0, mostMarks) },
        width,
      );
    case 'radar':
      return radarChart(
        { ...chart, axes: chart.axes.slice(0, mostMarks), series: chart.series.slice(0, 6) },
        width,
      );
    case 'lines':
      return lineChart({ ...chart, series: chart.series.slice(0, mostMarks) }, width);
  }
}
