// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The acts of a user on the page, by topic. Most scenarios take names and times from the page itself, so they also fit a
// real recording; those with `made_up` know the content.

import {calls} from './scenarios/calls.mjs';
import {content} from './scenarios/content.mjs';
import {panel} from './scenarios/panel.mjs';
import {state} from './scenarios/state.mjs';
import {timeline} from './scenarios/timeline.mjs';

export const scenarios = {...timeline, ...calls, ...panel, ...state, ...content};
