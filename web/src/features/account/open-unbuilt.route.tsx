import { Unbuilt } from './Unbuilt.js';

export const Component = Unbuilt;
