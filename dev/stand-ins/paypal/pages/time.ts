/** `2026-01-31 10:00:00`, in UTC. */
export const formatTime = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(0, 19);
