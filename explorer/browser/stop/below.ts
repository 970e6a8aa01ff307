// A picture below a stop: the same view under a path of its own, whose reports are Streamlit's.

import view from "./view";

export default view;
