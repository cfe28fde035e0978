/** Stands in for every style sheet where there is no Vite: in tests. */
export {};
