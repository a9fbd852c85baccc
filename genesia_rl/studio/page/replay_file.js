// A replay that was written as a file: its film is in the page.

import { replay, unpack } from "./replay.js";

unpack(document.querySelector("#film").textContent.trim()).then((film) => replay(film, document));
