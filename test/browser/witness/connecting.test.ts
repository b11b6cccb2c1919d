import { witnessRoom } from '../../support/witness-room.ts';

witnessRoom('connecting');
