// @ts-check
// Chart.js as far as the extension's charts reach: points on a scale of changes and a scale of rows, made anew for other figures and sizes, with options
// that are plain values. They are not animated, answer no pointer, stack nothing, turn no label. Chart.js is made of classes and of options that may come
// from anywhere, and a bundler keeps all of it: four fifths. The build keeps the methods that stand here, some with a shorter body, and fails
// where a name is not there: the version is pinned. A chart that needs more puts it here. test/unit/tools/chart-parts.test.ts holds the names against
// Chart.js, and the charts in Firefox show that what is left draws them.

/** A method as it is. */
const WHOLE = '';

/** @type {Record<string, Record<string, string>>} The methods that stay, by class, each with its body; a class has no others, and no fields. */
export const METHODS = {
  Defaults: {
    constructor: `
      this.scale = {
        grid: { display: true, tickLength: 8 },
        title: { display: false, padding: { top: 4, bottom: 4 } },
        ticks: { padding: 3 },
      };`,
  },
  BasePlatform: {},
  BasicPlatform: {},
  Element: {},
  PointElement: {
    draw: `
      const { options } = this;
      ctx.strokeStyle = options.borderColor;
      ctx.lineWidth = options.borderWidth;
      ctx.fillStyle = options.backgroundColor;
      ctx.beginPath();
      ctx.arc(this.x, this.y, options.radius, 0, TAU);
      ctx.fill();
      ctx.stroke();`,
  },
  DatasetController: {
    constructor: 'this.chart = chart; this.index = datasetIndex;',
    getDataset: WHOLE,
    getMeta: WHOLE,
    getParsed: 'return this.getDataset().data[index];',
    buildOrUpdateElements: 'this.getMeta().data = this.getDataset().data.map(() => new PointElement());',
    resolveDataElementOptions: `
      const { pointRadius, pointBorderWidth, pointBorderColor, pointBackgroundColor } = this.getDataset();
      return {
        radius: pointRadius,
        borderWidth: pointBorderWidth,
        borderColor: pointBorderColor[index],
        backgroundColor: pointBackgroundColor[index],
      };`,
    updateElement: 'Object.assign(element, properties);',
    draw: 'for (const element of this.getMeta().data) element.draw(this.chart.ctx);',
  },
  Scale: {
    constructor: 'super(); Object.assign(this, cfg);',
    init: 'this.options = options;',
    getLabels: 'return this.options.labels;',
    update: `
      this.maxWidth = maxWidth;
      this.maxHeight = maxHeight;
      this._margins = { left: 0, right: 0, top: 0, bottom: 0, ...margins };
      this.setDimensions();
      this.determineDataLimits();
      this.ticks = this.buildTicks();
      this.generateTickLabels(this.ticks);
      this.configure();
      this.fit();`,
    setDimensions: WHOLE,
    determineDataLimits: WHOLE,
    generateTickLabels: 'for (const tick of ticks) tick.label = this.options.ticks.callback(tick.value);',
    configure: `
      const isHorizontal = this.isHorizontal();
      this._startPixel = isHorizontal ? this.left : this.top;
      this._length = (isHorizontal ? this.right : this.bottom) - this._startPixel;`,
    isHorizontal: `return this.id === 'x';`,
    // No label is turned.
    fit: `
      const { chart, options: { ticks, title, grid } } = this;
      const isHorizontal = this.isHorizontal();
      let size = grid.tickLength + getTitleHeight(title);
      if (this.ticks.length > 0) {
        const { first, last, widest, highest } = this._computeLabelSizes(this.ticks);
        size += (isHorizontal ? highest.height : widest.width) + ticks.padding * 2;
        size = Math.min(isHorizontal ? this.maxHeight : this.maxWidth, size);
        this._calculatePadding(first, last);
      }
      this._handleMargins();
      if (isHorizontal) {
        this.width = this._length = chart.width - this._margins.left - this._margins.right;
        this.height = size;
      } else {
        this.width = size;
        this.height = this._length = chart.height - this._margins.top - this._margins.bottom;
      }`,
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
    _handleMargins: WHOLE,
    _computeLabelSizes: `
      const { string, lineHeight: height } = toFont(this.options.ticks.font);
      this.ctx.font = string;
      const widths = ticks.map(({ label }) => this.ctx.measureText(label).width);
      const size = (width) => ({ width, height });
      return { first: size(widths[0]), last: size(widths.at(-1)), widest: size(Math.max(...widths)), highest: size(0) };`,
    getPixelForTick: 'return this.getPixelForValue(this.ticks[index].value);',
    getPixelForDecimal: 'return _int16Range(this._startPixel + (this.isHorizontal() ? decimal : 1 - decimal) * this._length);',
    // Of the scale at the bottom alone, each line a pixel wide.
    drawGrid: `
      const { chart, ctx, options: { grid, position } } = this;
      const align = (pixel) => _alignPixel(chart, pixel, 1);
      this._borderValue = align(position === 'bottom' ? this.top : position === 'left' ? this.right : this.left);
      if (!grid.display) return;
      ctx.save();
      ctx.lineWidth = 1;
      ctx.strokeStyle = grid.color;
      for (const at of this.ticks.keys()) {
        const x = align(this.getPixelForTick(at));
        for (const [from, to] of [[chartArea.top, align(chartArea.bottom) - 0.5], [this._borderValue + 0.5, this.top + grid.tickLength]]) {
          ctx.beginPath();
          ctx.moveTo(x, from);
          ctx.lineTo(x, to);
          ctx.stroke();
        }
      }
      ctx.restore();`,
    drawBorder: `
      const { chart, ctx, _borderValue: across, options: { border } } = this;
      const isHorizontal = this.isHorizontal();
      const from = _alignPixel(chart, isHorizontal ? this.left : this.top, 1) - 0.5;
      const to = _alignPixel(chart, isHorizontal ? this.right : this.bottom, 1) + 0.5;
      ctx.save();
      ctx.lineWidth = 1;
      ctx.strokeStyle = border.color;
      ctx.beginPath();
      ctx.moveTo(...(isHorizontal ? [from, across] : [across, from]));
      ctx.lineTo(...(isHorizontal ? [to, across] : [across, to]));
      ctx.stroke();
      ctx.restore();`,
    // Labels beside a vertical axis begin where the chart does: crossAlign is 'far'.
    drawLabels: `
      const { ctx, options: { position, ticks, grid } } = this;
      const isHorizontal = this.isHorizontal();
      const font = toFont(ticks.font);
      for (const [at, { label }] of this.ticks.entries()) {
        const pixel = this.getPixelForTick(at);
        renderText(ctx, label, 0, isHorizontal ? font.lineHeight / 2 : 0, font, {
          color: ticks.color,
          textAlign: isHorizontal ? 'center' : position,
          textBaseline: 'middle',
          translation: isHorizontal ? [pixel, this.top + (grid.tickLength + ticks.padding)] : [this[position], pixel],
        });
      }`,
    drawTitle: `
      const { ctx, options: { title } } = this;
      if (!title.display) return;
      const font = toFont(title.font);
      renderText(ctx, title.text, 0, 0, font, {
        color: title.color,
        maxWidth: this.right - this.left,
        textAlign: 'center',
        textBaseline: 'middle',
        translation: [(this.left + this.right) / 2, this.bottom - (font.lineHeight / 2 + title.padding.bottom)],
      });`,
  },
  Registry: {
    constructor: 'this.items = {};',
    add: 'for (const item of args) this.items[item.id] = item;',
    getController: 'return this.items[id];',
    getScale: 'return this.items[id];',
  },
  Chart: {
    register: 'registry.add(...items);',
    constructor: `
      Object.assign(this, userConfig);
      this.canvas = item;
      this.ctx = item.getContext('2d');
      this.width = item.width;
      this.height = item.height;
      this.boxes = [];
      this._metasets = [];
      this.scales = {};
      retinaScale(this, this.options.devicePixelRatio);
      this.update();`,
    update: `
      for (const [id, options] of Object.entries(this.options.scales)) {
        const scale = new (registry.getScale(options.type))({ id, ctx: this.ctx, chart: this });
        scale.init(mergeIf({}, [options, { position: 'bottom' }, defaults.scale]));
        this.scales[id] = scale;
        this.boxes.push(scale);
      }
      for (const index of this.data.datasets.keys()) {
        const controller = new (registry.getController(this.type))(this, index);
        this.getDatasetMeta(index).controller = controller;
        controller.buildOrUpdateElements();
      }
      layouts.update(this, this.width, this.height);
      for (const box of this.boxes) box.configure();
      for (const { controller } of this._metasets) controller.update(mode);
      this.draw();`,
    getDatasetMeta: 'return this._metasets[datasetIndex] ??= { data: [], xScale: this.scales.x, yScale: this.scales.y };',
    // A chart has its own plugins, and these draw before its points.
    draw: `
      clearCanvas(this.canvas, this.ctx);
      if (this.width <= 0 || this.height <= 0) return;
      for (const scale of this.boxes) {
        scale.drawGrid(this.chartArea);
        scale.drawTitle();
      }
      for (const scale of this.boxes) {
        scale.drawBorder();
        scale.drawLabels();
      }
      for (const plugin of this.plugins) plugin.beforeDatasetsDraw?.(this);
      for (const { controller } of this._metasets) controller.draw();`,
    destroy: 'clearCanvas(this.canvas, this.ctx);',
  },
};

/** @type {Record<string, string>} What is left of functions. */
export const FUNCTIONS = {
  // Of options that are plain values, the first that has one.
  mergeIf: `
    for (const one of source) {
      for (const [key, value] of Object.entries(one)) {
        target[key] = isObject(value) ? mergeIf(target[key] ?? {}, [value]) : target[key] ?? value;
      }
    }
    return target;`,
  toPadding: `
    const { top = 0, right = 0, bottom = 0, left = 0 } = value;
    return { top, right, bottom, left, width: left + right, height: top + bottom };`,
  toFont: `const { family, size } = options; return { lineHeight: size * 1.2, string: 'normal ' + size + 'px ' + family };`,
  setRenderOpts: `
    ctx.translate(...opts.translation);
    ctx.fillStyle = opts.color;
    ctx.textAlign = opts.textAlign;
    ctx.textBaseline = opts.textBaseline;`,
  renderText: `
    ctx.save();
    ctx.font = font.string;
    setRenderOpts(ctx, opts);
    ctx.fillText(text, x, y, opts.maxWidth);
    ctx.restore();`,
  getTitleHeight: 'return options.display ? toFont(options.font).lineHeight + toPadding(options.padding).height : 0;',
  // An axis has its side for itself.
  updateDims: `
    const { pos, box, horizontal } = layout;
    const { maxPadding } = chartArea;
    chartArea[pos] -= layout.size ?? 0;
    layout.size = Math.max(0, horizontal ? box.height : box.width);
    chartArea[pos] += layout.size;
    const w = Math.max(0, params.outerWidth - getCombinedMax(maxPadding, chartArea, 'left', 'right'));
    const h = Math.max(0, params.outerHeight - getCombinedMax(maxPadding, chartArea, 'top', 'bottom'));
    const [widthChanged, heightChanged] = [w !== chartArea.w, h !== chartArea.h];
    Object.assign(chartArea, { w, h });
    return horizontal ? { same: widthChanged, other: heightChanged } : { same: heightChanged, other: widthChanged };`,
  placeBoxes: `
    let { x, y } = chartArea;
    for (const { box, horizontal } of boxes) {
      if (horizontal) {
        setBoxDims(box, chartArea.left, y, chartArea.w, box.height);
        y = box.bottom;
      } else {
        setBoxDims(box, x, chartArea.top, box.width, chartArea.h);
        x = box.right;
      }
    }
    chartArea.x = x;
    chartArea.y = y;`,
};

/** @type {readonly (readonly [RegExp, string])[]} Statements, and what stands there instead. */
export const STATEMENTS = [
  [/supportsEventListenerOptions = function\(\) \{/, 'supportsEventListenerOptions = /* @__PURE__ */ function() {'],
  [/new Defaults\(\{[\s\S]*?\n\]\)/, 'new Defaults()'],
  // One axis at the bottom, one to the left or right.
  [
    /^var layouts = \{[\s\S]*?^\};/m,
    `var layouts = {
      update(chart, width, height) {
        const padding = toPadding(chart.options.layout.padding);
        const w = Math.max(width - padding.width, 0);
        const h = Math.max(height - padding.height, 0);
        const boxes = chart.boxes.map((box) =>
          box.isHorizontal()
            ? { box, pos: box.options.position, horizontal: true, height: h / 2 }
            : { box, pos: box.options.position, horizontal: false, width: w / 2 },
        );
        const vertical = boxes.filter(({ horizontal }) => !horizontal);
        const horizontal = boxes.filter(({ horizontal }) => horizontal);
        const params = { outerWidth: width, outerHeight: height };
        const chartArea = { maxPadding: { ...padding }, w, h, x: padding.left, y: padding.top, ...padding };
        fitBoxes(vertical, chartArea, params);
        if (fitBoxes(horizontal, chartArea, params)) fitBoxes(vertical, chartArea, params);
        handleMaxPadding(chartArea);
        placeBoxes(vertical.filter(({ pos }) => pos === 'left'), chartArea);
        chartArea.x += chartArea.w;
        chartArea.y += chartArea.h;
        placeBoxes([...vertical.filter(({ pos }) => pos === 'right'), ...horizontal], chartArea);
        const { left, top } = chartArea;
        chart.chartArea = { left, top, right: left + chartArea.w, bottom: top + chartArea.h };
      },
    };`,
  ],
];

/** @type {(name: string) => RegExp} Chart.js's build puts the end of a method at four spaces. */
const methodNamed = (name) => new RegExp(`^ {1,4}(?:static )?${name}\\([^\\n]*\\{(?:\\}\\n|\\n[\\s\\S]*?^ {4}\\}\\n)`, 'm');
const classNamed = (/** @type {string} */ name) => new RegExp(`^((?:[ */]*)class ${name}\\b[^\\n]*\\n)([\\s\\S]*?)^\\}\\n`, 'm');
const functionNamed = (/** @type {string} */ name) => new RegExp(`^(?:[ */]*)function ${name}\\([^\\n]*\\{\\n[\\s\\S]*?^\\}\\n`, 'm');

/** @type {(whole: string, body: string) => string} Its first line is kept. */
const withBody = (whole, body) => (body === WHOLE ? whole : `${whole.slice(0, whole.indexOf('{\n') + 1)} ${body} }\n`);

/** @type {(code: string, found: Set<string>) => string} Chart.js's code without what no chart needs; `found`: which names were there. */
export function withoutUnusedParts(code, found) {
  let left = code;
  for (const [name, methods] of Object.entries(METHODS)) {
    left = left.replace(classNamed(name), (_, head, body) => {
      const kept = Object.entries(methods).map(([method, shorter]) => {
        const [whole] = methodNamed(method).exec(body) ?? [];
        if (whole === undefined) return '';
        found.add(`${name}.${method}`);
        return withBody(whole, shorter);
      });
      found.add(name);
      // By its id it is found.
      return [head, /^ +static id = .*\n/m.exec(body)?.[0] ?? '', ...kept, '}\n'].join('');
    });
  }
  for (const [name, body] of Object.entries(FUNCTIONS)) {
    left = left.replace(functionNamed(name), (whole) => {
      found.add(name);
      return withBody(whole, body);
    });
  }
  for (const [statement, instead] of STATEMENTS) {
    left = left.replace(statement, () => {
      found.add(String(statement));
      return instead;
    });
  }
  return left;
}

/** Every name that must be found. */
export const WANTED = [
  ...Object.entries(METHODS).flatMap(([name, methods]) => [name, ...Object.keys(methods).map((method) => `${name}.${method}`)]),
  ...Object.keys(FUNCTIONS),
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
