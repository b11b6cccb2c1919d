// @ts-check
// Chart.js as far as the extension's charts reach: they are made anew for other figures and sizes, are not animated, answer no pointer, stack nothing,
// and their data are numbers already. Chart.js is made of classes, and a bundler keeps every method of a class that is used: half of it. The build takes
// out what stands here, and fails where a name is not there: the version is pinned. A chart that needs more takes a name off these lists.
// test/unit/tools/chart-parts.test.ts holds the lists against Chart.js, and the charts in Firefox show that what is left draws them.

const HOOKS = [
  ...['beforeUpdate', 'afterUpdate', 'beforeSetDimensions', 'afterSetDimensions', '_callHooks', 'beforeDataLimits', 'afterDataLimits'],
  ...['beforeBuildTicks', 'afterBuildTicks', 'beforeTickToLabelConversion', 'afterTickToLabelConversion', 'beforeCalculateLabelRotation'],
  ...['afterCalculateLabelRotation', 'afterAutoSkip', 'beforeFit', 'afterFit'],
];

/** @type {Record<string, readonly string[]>} Methods that nothing calls then, by class. */
export const UNUSED = {
  DatasetController: [
    ...['updateIndex', 'reset', '_destroy', 'parsePrimitiveData', 'parseArrayData', 'parseObjectData', 'getDataElement', 'applyStack'],
    ...['getAllParsedValues', '_getOtherScale', 'updateRangeFromParsed', 'getMinMax', 'addElements', 'getMaxOverflow', '_insertElements'],
    ...['getLabelAndValue', 'getStyle', 'resolveDatasetElementOptions', '_resolveAnimations', 'getSharedOptions'],
    ...['includeOptions', '_getSharedOptions', 'updateSharedOptions', '_setStyle', 'removeHoverStyle', 'setHoverStyle'],
    ...['_removeDatasetHoverStyle', '_setDatasetHoverStyle', '_removeElements', '_sync', '_onDataPush', '_onDataPop', '_onDataShift'],
    ...['_onDataSplice', '_onDataUnshift'],
  ],
  Element: ['tooltipPosition', 'hasValue', 'getProps'],
  PointElement: ['inRange', 'inXRange', 'inYRange', 'getCenterPoint', 'getRange'],
  Scale: [
    ...HOOKS,
    ...['getUserBounds', 'getMinMax', 'getPadding', 'getTicks', 'getValueForPixel', 'getDecimalForPixel', 'getBasePixel', 'getBaseValue'],
    'getLineWidthForValue',
  ],
  Registry: [
    ...['remove', 'addControllers', 'addElements', 'addPlugins', 'addScales', 'removeControllers', 'removeElements', 'removePlugins'],
    'removeScales',
  ],
  TypedRegistry: ['unregister'],
  BasePlatform: ['releaseContext', 'addEventListener', 'removeEventListener', 'getMaximumSize', 'isAttached'],
  Config: ['datasetAnimationScopeKeys', 'pluginScopeKeys'],
  PluginService: ['_notify', 'invalidate', '_descriptors', '_createDescriptors', '_notifyStateChanges'],
  Chart: [
    ...[
      'unregister',
      'aspectRatio',
      'stop',
      'resize',
      '_resize',
      '_removeUnreferencedMetasets',
      '_resetElements',
      'reset',
      '_checkEventBindings',
    ],
    ...['_updateHiddenIndices', '_getUniformDataChanges', 'isPointInArea', 'getElementsAtEventForMode', 'getVisibleDatasetCount'],
    ...[
      'setDatasetVisibility',
      'toggleDataVisibility',
      'getDataVisibility',
      '_updateVisibility',
      'hide',
      'show',
      '_destroyDatasetMeta',
      '_stop',
      '_updateDataset',
    ],
    ...['toBase64Image', 'bindEvents', 'bindUserEvents', 'bindResponsiveEvents', 'unbindEvents', 'updateHoverStyle', 'getActiveElements'],
    ...['setActiveElements', 'isPluginEnabled', '_updateHoverStyles', '_eventHandler', '_handleEvent', '_getActiveElements'],
  ],
};

/** @type {Record<string, Record<string, string>>} What is left of methods that are called, by class. */
export const SHORTER = {
  // A chart has its own plugins, and these draw before its points.
  PluginService: { notify: 'for (const plugin of chart.config.plugins) plugin[hook]?.(chart);' },
  DatasetController: {
    initialize: 'this.configure(); this.linkScales(); this._dataCheck();',
    _dataCheck: 'this._data = this.getDataset().data;',
    buildOrUpdateElements: 'this._dataCheck(); this._resyncElements();',
    parse: 'const meta = this._cachedMeta; meta._parsed = this._data; meta._sorted = true;',
    draw: 'for (const element of this._cachedMeta.data) element.draw(this._ctx, this.chart.chartArea);',
    updateElement: 'Object.assign(element, properties);',
    _resyncElements: 'this._cachedMeta.data = this._data.map(()=>new this.dataElementType()); this.parse();',
    _update: `this.update(mode || 'default');`,
  },
  Scale: {
    // No label is turned.
    calculateLabelRotation: 'this.labelRotation = 0;',
    _getXAxisLabelAlignment: `return 'center';`,
    // Labels beside a vertical axis begin where the chart does: crossAlign is 'far'.
    _getYAxisLabelAlignment: `const { position } = this.options; return { textAlign: position, x: this[position] };`,
    _calculatePadding: `
      const { padding } = this.options.ticks;
      if (this.isHorizontal()) {
        const offsetLeft = this.getPixelForTick(0) - this.left;
        const offsetRight = this.right - this.getPixelForTick(this.ticks.length - 1);
        this.paddingLeft = Math.max((first.width / 2 - offsetLeft + padding) * this.width / (this.width - offsetLeft), 0);
        this.paddingRight = Math.max((last.width / 2 - offsetRight + padding) * this.width / (this.width - offsetRight), 0);
      } else {
        this.paddingTop = last.height / 2 + padding;
        this.paddingBottom = first.height / 2 + padding;
      }`,
    _computeLabelArea: '',
  },
  Chart: {
    _initialize: `this.notifyPlugins('beforeInit'); retinaScale(this, this.options.devicePixelRatio); this.attached = true;`,
    update: `
      const config = this.config;
      config.update();
      this._options = config.createResolver(config.chartOptionScopes(), this.getContext());
      this._updateScales();
      this.buildOrUpdateControllers();
      for (const { controller } of this._metasets) controller.buildOrUpdateElements();
      this._updateLayout(0);
      this._updateDatasets(mode);
      this._layers.sort(compare2Level('z', '_idx'));
      this.draw();`,
    _updateDatasets: 'for (const { controller } of this._metasets) { controller.configure(); controller._update(mode); }',
    _drawDataset: 'meta.controller.draw();',
    _updateMetasets: `this._sortedMetasets = this._metasets.slice(0).sort(compare2Level('order', 'index'));`,
    render: 'this.draw();',
    destroy: 'this.config.clearCache(); clearCanvas(this.canvas, this.ctx); delete instances[this.id];',
  },
};

/** @type {readonly (readonly [string | RegExp, string])[]} Statements, and what stands there instead. */
export const STATEMENTS = [
  // Labels are never left out: there are as many as fit.
  [/if \(tickOpts\.display && \(tickOpts\.autoSkip[\s\S]*?this\.afterAutoSkip\(\);\s+\}/, ''],
  ['this._range = _addGrace(this, grace, beginAtZero);', ''],
  // Axes are at the bottom, and to the left or right.
  [/if \(position === 'top'\) \{[^{}]*\} else (?=if \(position === 'bottom'\))/, ''],
  [/ else if \(axis === '[xy]'\) \{\s+if \(position === 'center'\) \{[^{}]*\} else if \(isObject\(position\)\) \{[^{}]*\}[^{}]*\}/, ''],
  [/if \(isObject\(position\)\) \{[^{}]*\} else if \(position === 'center'\) \{[^{}]*\} else \{([^{}]*)\}/, '$1'],
  // Labels have no ground of their own, no outline and no line through them.
  [/if \(optsAtIndex\.showLabelBackdrop\) \{[\s\S]*?color: optsAtIndex\.backdropColor\s+\};\s+\}/, ''],
  [/if \(opts\.backdrop\) \{[^{}]*\}/, ''],
  ['decorateText(ctx, x, y, line, opts);', ''],
  // Each axis writes its own figures.
  ['callback: Ticks.formatters.values,', ''],
  // Points are discs.
  ['drawPointLegend(ctx, options, x, y, null);', 'ctx.beginPath(); ctx.arc(x, y, options.radius, 0, TAU); ctx.fill(); ctx.stroke();'],
  ['supportsEventListenerOptions = function() {', 'supportsEventListenerOptions = /* @__PURE__ */ function() {'],
  [/const eventListenerOptions = supportsEventListenerOptions \? \{[^{}]*\} : false;/, ''],
  // Calls of the hooks of a scale, of which no chart has any.
  [new RegExp(`this\\.(?:${HOOKS.filter((name) => name !== '_callHooks').join('|')})\\([^)]*\\);`, 'g'), ''],
  [/animator\.listen\(.*\);/g, ''],
  ['config.platform || _detectPlatform(initialCanvas)', 'config.platform'],
  [/const existingChart = getChart\(initialCanvas\);\s+if \(existingChart\) \{[^}]*\}/, ''],
  ['this._doResize = debounce((mode)=>this.update(mode), options.resizeDelay || 0);', ''],
  [/if \(this\._resizeBeforeDraw\) \{[^}]*\}[^}]*\}/, ''],
  ['this._removeUnreferencedMetasets();', ''],
  [/function invalidatePlugins\(\) \{[^{}]*\}/, 'function invalidatePlugins() {}'],
  [/if \(meta\.type && meta\.type !== type\) \{[^}]*\}/, ''],
  // In the chunk of helpers: colours of what a pointer is over, and how figures move.
  ['new Color(value).saturate(0.5).darken(0.1).hexString()', 'value'],
  ['applyAnimationsDefaults,', ''],
];

/** @type {(name: string) => RegExp} Chart.js's build puts the end of a method at four spaces. */
const methodNamed = (name) => new RegExp(`^ {1,4}(?:static |get |set )?${name}\\([^\\n]*\\{(?:\\}\\n|\\n[\\s\\S]*?^ {4}\\}\\n)`, 'm');
const classNamed = (/** @type {string} */ name) => new RegExp(`^class ${name}\\b[\\s\\S]*?^\\}\\n`, 'm');

/** @type {(code: string, found: Set<string>) => string} Chart.js's code without what no chart needs; `found`: which names were there. */
export function withoutUnusedParts(code, found) {
  let left = code;
  for (const name of new Set([...Object.keys(UNUSED), ...Object.keys(SHORTER)])) {
    left = left.replace(classNamed(name), (body) => {
      let kept = body;
      /** @type {(method: string, left: (whole: string) => string) => void} */
      const change = (method, left) => {
        kept = kept.replace(methodNamed(method), (whole) => {
          found.add(`${name}.${method}`);
          return left(whole);
        });
      };
      for (const method of UNUSED[name] ?? []) change(method, () => '');
      for (const [method, shorter] of Object.entries(SHORTER[name] ?? {})) {
        change(method, (whole) => `${whole.slice(0, whole.indexOf('{') + 1)} ${shorter} }\n`);
      }
      return kept;
    });
  }
  for (const [statement, instead] of STATEMENTS) {
    left = left.replaceAll(statement instanceof RegExp ? new RegExp(statement.source, 'g') : statement, (_, only) => {
      found.add(String(statement));
      return instead === '$1' ? only : instead;
    });
  }
  return left;
}

/** Every name that must be found. */
export const WANTED = [
  ...Object.entries(UNUSED).flatMap(([name, methods]) => methods.map((method) => `${name}.${method}`)),
  ...Object.entries(SHORTER).flatMap(([name, methods]) => Object.keys(methods).map((method) => `${name}.${method}`)),
  ...STATEMENTS.map(([statement]) => String(statement)),
];

/** The plugin of the bundler. @type {() => import('rolldown').Plugin} */
export const chartParts = () => {
  /** @type {Set<string>} */
  const found = new Set();
  let isSeen = false;
  return {
    name: 'chart-parts',
    transform: (code, id) => {
      if (!/[\\/]chart\.js[\\/]dist[\\/]/.test(id)) return undefined;
      isSeen = true;
      return withoutUnusedParts(code, found);
    },
    buildEnd: () => {
      const missing = isSeen ? WANTED.filter((name) => !found.has(name)) : [];
      if (missing.length > 0) throw new Error(`Chart.js has no ${missing.join(', ')}: src/tools/chart-parts.mjs knows another version`);
    },
  };
};
