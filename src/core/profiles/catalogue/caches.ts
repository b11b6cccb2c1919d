/** Read buffers and caches. */
import { boolean, type Entry, INT32_MAX, integer } from './entry.ts';
import { READ_COUNT, READ_SIZE } from './names.ts';

const SMART_SIZE = 'browser.cache.disk.smart_size.enabled';
const RACING = 'network.http.rcwn.enabled';

export const CACHES: readonly Entry[] = [
  {
    preference: READ_SIZE,
    label: 'Read segment, bytes',
    bounds: { type: 'integer', min: 1, max: 1_048_575, clamp: { min: 1, max: 1_048_575, beyond: 'ignored' } },
    android: { value: 16_384 },
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
  },
  {
    preference: READ_COUNT,
    label: 'Read segments',
    bounds: integer(1, 1024),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
  },
  {
    preference: 'network.buffer.default_size',
    label: 'Stream buffer, bytes',
    bounds: integer(4096, 16_777_216),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'network.http.send_window_size',
    label: 'Unread data of a page, KiB',
    bounds: integer(0, 1_048_576),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.disk.enable',
    label: 'Disk cache',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: SMART_SIZE,
    label: 'Disk cache sized by Firefox',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.disk.capacity',
    label: 'Disk cache, KiB',
    bounds: integer(0, 8_388_608),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.disk.max_entry_size',
    label: 'Largest entry of the disk cache, KiB',
    bounds: integer(0, INT32_MAX),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.disk.preload_chunk_count',
    label: 'Disk cache read ahead, 256 KiB each',
    bounds: integer(0, 64),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.disk.metadata_memory_limit',
    label: 'Cache metadata in memory, KiB',
    bounds: integer(0, 1_048_576),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.memory.enable',
    label: 'Memory cache',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.memory.capacity',
    label: 'Memory cache, KiB',
    bounds: integer(-1, 8_388_608),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.memory.max_entry_size',
    label: 'Largest entry of the memory cache, KiB',
    bounds: integer(-1, 8_388_608),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'browser.cache.jsbc_compression_level',
    label: 'Compression of cached bytecode',
    bounds: integer(0, 9),
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'network.http.stale_while_revalidate.enabled',
    label: 'Stale while revalidating',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: 'network.http.dictionaries.enable',
    label: 'Compression dictionaries',
    bounds: boolean,
    android: 'as-desktop',
    protocol: 'all',
  },
  {
    preference: RACING,
    label: 'Cache and network raced',
    bounds: boolean,
    android: { value: false, until: '140' },
    protocol: 'all',
  },
  ...[
    {
      name: 'small_resource_size_kb',
      label: 'Racing: largest entry, KiB',
      max: 65_535,
    },
    {
      name: 'max_wait_before_racing_ms',
      label: 'Racing: wait at most, ms',
      max: 60_000,
    },
    {
      name: 'cache_queue_normal_threshold',
      label: 'Racing: queue',
      max: 1024,
    },
  ].map(
    ({ name, label, max }): Entry => ({
      preference: `network.http.rcwn.${name}`,
      label,
      bounds: integer(0, max),
      android: 'as-desktop',
      protocol: 'all',
    }),
  ),
];
