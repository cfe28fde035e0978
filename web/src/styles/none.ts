/** Stands in for every style sheet and drawing where there is no Vite: in tests. */
export default '';
