/**
 * The study behind Fennec's default of 4 connections with depth 6, by simulation (P. McManus, "Performance Observations of Fennec
 * Development on Mobile Networks", 31 July 2008; bug 448805): 7 pages x 8 mobile networks x 18 profiles = 1,008 loads. Its pages, networks
 * and formula are not public; pages and networks here are our own reading.
 */
import { FENNEC_2008 } from '../../core/simulate/browser-model.ts';
import { LINKS_2008 } from '../link/links-2008.ts';
import { findPage } from '../pages/pages.ts';
import type { SimulatedStudy } from './simulated-study.ts';

export const fennec2008: SimulatedStudy = {
  name: 'fennec-2008',
  title: 'Fennec 2008: connections x depth over mobile networks, by simulation',
  pages: ['wiki', 'images', 'news', 'gallery', 'shop', 'docs', 'app'].map(findPage),
  links: LINKS_2008,
  profiles: ['fennec-18'],
  baseline: 'c1-d2',
  model: FENNEC_2008,
  /** RFC 3390 with segments of 1,460 bytes; Linux then had the same. */
  initialWindow: 3,
};
