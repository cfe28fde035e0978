/** Replaces every style sheet and SVG in tests, which run without Vite. */
export default '';
