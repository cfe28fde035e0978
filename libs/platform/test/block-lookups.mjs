// Preloaded with `--import`. Once the FIFO at `BLOCKING_FIFO` exists, each name lookup opens it. Nobody writes to it, so a thread blocks, as in a
// lookup that no name server answers.
import dns from 'node:dns';
import { existsSync, open } from 'node:fs';

const { lookup } = dns;
const fifo = process.env.BLOCKING_FIFO;
dns.lookup = (...given) => (existsSync(fifo) ? open(fifo, 'r', () => undefined) : lookup(...given));
