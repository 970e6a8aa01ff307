// The view of a picture below a stop: the same under its own path, so that its reports go to Streamlit.

import view from "./view";

export default view;
